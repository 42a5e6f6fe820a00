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
import { createExchange } from './exchange/exchange';
import { exchangeCss } from './exchange/styles';
import { createInspectionsView } from './inspections-view';
import { keepOnLeave, takeKept } from './kept';
import { createMarkers } from './markers';
import { createOnPage } from './on-page';
import { followPageScheme } from './page-scheme';
import { createPanel } from './panel';
import { followFocus } from './panel-focus';
import { createPickingAids } from './picking-aids';
import { pickingCss } from './picking-styles';
import { queueCss } from './queue-styles';
import { createRemarks } from './remarks';
import { requestCss } from './request-styles';
import { createRequests } from './requests';
import { roving } from './roving';
import { settingsCss } from './settings-styles';
import { createSettingsView } from './settings-view';
import { createBoard } from './sketch/board';
import { createSketchLayer } from './sketch/layer';
import { sketchCss } from './sketch/styles';
import { css } from './styles';
import { createUndo } from './undo';

export function createWorkbench(parts: WorkbenchParts): Workbench {
  joinListening(parts.listening);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    css + queueCss + sketchCss + exchangeCss + requestCss + pickingCss + activityCss + settingsCss,
  );
  parts.host.root.adoptedStyleSheets.push(sheet);
  followPageScheme({ ...parts, looks: parts.settings });
  const sketches = createSketchLayer();
  const board = createBoard(sketches);
  parts.add(...createPickingAids(parts));
  parts.add(sketches.element, ...board.elements);
  const markers = createMarkers(parts, (id) => {
    panel.open(inspections.name);
    inspections.reveal(id);
  });
  const onPage = createOnPage(parts, sketches);
  const { undo, element: undoToast } = createUndo(parts.queue);
  const exchange = createExchange(parts);
  parts.add(exchange.element);
  const inspections = createInspectionsView(
    { ...parts, marked: markers.wanted, find: onPage.find, undo },
    { actions: exchange.actions, itemActions: exchange.itemActions },
  );
  onPage.follow((event) => inspections.idAt(event) ?? markers.idAt(event));
  const log = createAgentLog(parts.agents);
  const brakes = createBrakes(log, parts);
  const activity = createActivityView(log, brakes);
  const ownSettings = createSettingsView(parts.settings, () => localStorage);
  const panel = createPanel(parts, [inspections, activity, ownSettings]);
  // Below all else of the overlay: a badge must not lie over a note or the panel.
  parts.host.root.prepend(markers.element);
  parts.add(panel.element);
  parts.toasts.element.append(undoToast);
  const acting = createActing(log, brakes, () => panel.open(activity.name));
  parts.host.root.querySelector('.bar')?.append(acting);
  const bar = parts.host.root.querySelector<HTMLElement>('.bar');
  if (bar) roving(bar, () => parts.panelShown.set(false));
  followFocus(parts, panel.element);
  const session = () => sessionStorage;
  const kept = takeKept(session);
  inspections.resume(kept.drafts);
  if (kept.view) panel.open(kept.view);
  keepOnLeave(session, () => ({ view: panel.view, drafts: inspections.drafts() }));
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
    remarks: (kept, anchor) => createRemarks(kept, anchor, session, board, sketches),
  };
}
