import { pageTools } from '../page-tools/page-tools';
import { joinListening } from '../ui/listen';
import type { Workbench, WorkbenchParts } from '../workbench';
import { createAskUser } from './ask-user';
import { createChooseElement } from './choose-element';
import { createInspectionsView } from './inspections-view';
import { followPageScheme } from './page-scheme';
import { createPanel } from './panel';
import { requestCss } from './request-styles';
import { createRequests } from './requests';
import { roving } from './roving';
import { css } from './styles';

export function createWorkbench(parts: WorkbenchParts): Workbench {
  joinListening(parts.listening);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css + requestCss);
  parts.host.root.adoptedStyleSheets.push(sheet);
  followPageScheme({ ...parts, looks: parts.settings });
  const inspections = createInspectionsView(parts, { actions: [], itemActions: () => [] });
  const panel = createPanel(parts, [inspections]);
  parts.add(panel.element);
  const bar = parts.host.root.querySelector<HTMLElement>('[role=toolbar]');
  if (bar) roving(bar);
  const requests = createRequests(parts);
  const tools = {
    ask_user: createAskUser(requests),
    choose_element: createChooseElement(requests, parts),
    ...pageTools,
  };
  return { requests, tools };
}
