import { joinListening } from '../ui/listen';
import type { Workbench, WorkbenchParts } from '../workbench';
import { createInspectionsView } from './inspections-view';
import { createPanel } from './panel';
import { requestCss } from './request-styles';
import { createRequests } from './requests';
import { css } from './styles';

export function createWorkbench(parts: WorkbenchParts): Workbench {
  joinListening(parts.listening);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css + requestCss);
  parts.host.root.adoptedStyleSheets.push(sheet);
  const inspections = createInspectionsView(parts, { actions: [], itemActions: () => [] });
  const panel = createPanel(parts, [inspections]);
  parts.add(panel.element);
  const requests = createRequests(parts);
  return { requests };
}
