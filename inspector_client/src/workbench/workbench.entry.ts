import { pageTools } from '../page-tools/page-tools';
import { joinListening } from '../ui/listen';
import type { Workbench, WorkbenchParts } from '../workbench';
import { createActing } from './acting';
import { createActivityView } from './activity';
import { activityCss } from './activity-styles';
import { createAgentLog } from './agent-log';
import { createAllowCall } from './allow-call';
import { createAskUser } from './ask-user';
import { createBrakes } from './brakes';
import { createChooseElement } from './choose-element';
import { createInspectionsView } from './inspections-view';
import { followPageScheme } from './page-scheme';
import { createPanel } from './panel';
import { createPickingAids } from './picking-aids';
import { pickingCss } from './picking-styles';
import { createRemarks } from './remarks';
import { requestCss } from './request-styles';
import { createRequests } from './requests';
import { roving } from './roving';
import { createBoard } from './sketch/board';
import { createSketchLayer } from './sketch/layer';
import { sketchCss } from './sketch/styles';
import { css } from './styles';

export function createWorkbench(parts: WorkbenchParts): Workbench {
  joinListening(parts.listening);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css + queueCss + sketchCss + requestCss + pickingCss + activityCss);
  parts.host.root.adoptedStyleSheets.push(sheet);
  followPageScheme({ ...parts, looks: parts.settings });
  const sketches = createSketchLayer();
  const board = createBoard(sketches);
  parts.add(sketches.element, ...board.elements);
  parts.add(createPickingAids(parts));
  const inspections = createInspectionsView(parts, { actions: [], itemActions: () => [] });
  const log = createAgentLog(parts.agents);
  const brakes = createBrakes(log, parts);
  const activity = createActivityView(log, brakes);
  const panel = createPanel(parts, [inspections, activity]);
  parts.add(panel.element);
  const acting = createActing(log, brakes, () => panel.open(activity.name));
  parts.host.root.querySelector('[role=toolbar]')?.append(acting);
  const bar = parts.host.root.querySelector<HTMLElement>('[role=toolbar]');
  if (bar) roving(bar);
  const requests = createRequests(parts);
  const tools = {
    allow_call: createAllowCall(requests),
    ask_user: createAskUser(requests),
    choose_element: createChooseElement(requests, parts),
    ...pageTools,
  };
  return {
    requests,
    tools,
    remarks: (kept, anchor) => createRemarks(kept, anchor, () => sessionStorage, board, sketches),
  };
}
