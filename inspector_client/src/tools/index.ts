import type { Tool } from '../calls';
import type { DetailsLoader } from '../details';
import type { Picking } from '../picking';
import type { ElementContext, pageTools } from '../protocol';
import type { Recorder } from '../recorder';
import type { WorkbenchLoader, WorkbenchTool } from '../workbench';
import { createDescribeArea } from './describe-area';
import { createDescribeElement } from './describe-element';
import { createPageInfo } from './page-info';
import { createPickTool } from './pick';
import { createPicture, type LoadDrawing } from './picture';
import { runScript } from './run-script';

interface ToolParts {
  picking: Picking;
  details: DetailsLoader;
  recorder: Recorder;
  host: Element;
  inspected(context: ElementContext): void;
  picked(element: Element): void;
  drawing: LoadDrawing;
  workbench: WorkbenchLoader;
}

export function createTools(parts: ToolParts): Record<keyof typeof pageTools, Tool> {
  /** What comes with the workbench. */
  const later =
    (name: WorkbenchTool): Tool =>
    async (args, signal) =>
      (await parts.workbench.get()).tools[name](args, signal);
  return {
    pick_element: createPickTool('element', parts),
    pick_area: createPickTool('area', parts),
    describe_element: createDescribeElement(parts.details.explain),
    describe_area: createDescribeArea(parts.details.locate, parts.host),
    find_element: async (args) => (await parts.details.get()).find(args),
    page_info: createPageInfo(parts.recorder, parts.host, parts.details),
    picture: createPicture(parts.drawing, parts.host),
    run_script: runScript,
    allow_call: later('allow_call'),
    ask_user: later('ask_user'),
    choose_element: later('choose_element'),
    list_tools: later('list_tools'),
    call_tool: later('call_tool'),
  };
}
