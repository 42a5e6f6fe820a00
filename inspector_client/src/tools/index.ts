import type { Tool } from '../calls';
import type { DetailsLoader } from '../details';
import type { Picking } from '../picking';
import type { ElementContext, pageTools } from '../protocol';
import type { Recorder } from '../recorder';
import type { WorkbenchTool } from '../workbench';
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
}

/** Those that do not come with the workbench. */
export function createTools(
  parts: ToolParts,
): Record<Exclude<keyof typeof pageTools, WorkbenchTool>, Tool> {
  return {
    pick_element: createPickTool('element', parts),
    pick_area: createPickTool('area', parts),
    describe_element: createDescribeElement(parts.details.explain),
    describe_area: createDescribeArea(parts.details.locate, parts.host),
    find_element: async (args) => (await parts.details.get()).find(args),
    page_info: createPageInfo(parts.recorder, parts.host, parts.details),
    picture: createPicture(parts.drawing, parts.host),
    run_script: runScript,
  };
}
