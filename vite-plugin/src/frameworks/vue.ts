import { readFileSync } from 'node:fs';
import path from 'node:path';
import { normalizePath, type Plugin } from 'vite';
import { versions } from '../source/versions.ts';

/**
 * The prop that carries a tag's place. Vue reserves the name: the value stays in the virtual node, also when that is
 * cloned or merged with others, and reaches neither the DOM nor a component's props and attributes. It means something
 * beside a bound `ref` only, as one more key in `$refs`: there it is a symbol, which nobody meets who lists the keys.
 */
const KEPT_IN = 'ref_key';

/** Node and tag types of Vue's compiler. */
const ELEMENT = 1;
const ATTRIBUTE = 6;
const TEXT = 2;
const EXPRESSION = 4;
const DIRECTIVE = 7;
/** The compiler's word for an expression that never changes. */
const CONSTANT = 3;
const PLAIN_ELEMENT = 0;
const COMPONENT = 1;

interface Start {
  offset: number;
  line: number;
  column: number;
}

interface TemplateNode {
  type: number;
  tagType?: number;
  loc: { start: Start };
  props?: TemplateProp[];
}

interface TemplateProp {
  type: number;
  name: string;
  arg?: { content?: string; isStatic?: boolean };
  [key: string]: unknown;
}

interface TemplateContext {
  filename: string;
  ssr?: boolean;
  inSSR?: boolean;
  root: { source?: string; children: TemplateNode[] };
}

type NodeTransform = (node: TemplateNode, context: TemplateContext) => void;

/** What @vitejs/plugin-vue lets other plugins change. */
interface VueOptions {
  template?: { compilerOptions?: { nodeTransforms?: NodeTransform[] } };
}

export function vuePlugin(): Plugin {
  return {
    name: 'pageside:vue',
    configResolved({ plugins, root }) {
      const api: { options?: VueOptions } | undefined = plugins.find(
        ({ name }) => name === 'vite:vue',
      )?.api;
      if (api?.options) api.options = withPlaces(api.options, root);
    },
  };
}

function withPlaces(options: VueOptions, root: string): VueOptions {
  const { template, template: { compilerOptions } = {} } = options;
  const nodeTransforms = [...(compilerOptions?.nodeTransforms ?? []), keepPlaces(root)];
  return {
    ...options,
    template: { ...template, compilerOptions: { ...compilerOptions, nodeTransforms } },
  };
}

/** Gives every tag that becomes an element or a component its place, in code for the browser only. */
function keepPlaces(root: string): NodeTransform {
  const origins = new WeakMap<object, Origin | null>();
  const seen = new WeakSet<object>();
  const originOf = (context: TemplateContext): Origin | null => {
    let origin = origins.get(context.root);
    if (origin === undefined) {
      origin = findOrigin(context, root);
      origins.set(context.root, origin);
    }
    return origin;
  };
  return (node, context) => {
    if (context.ssr || context.inSSR || !isTag(node) || seen.has(node)) return;
    // A node is visited again after v-if or v-for took it apart.
    seen.add(node);
    const origin = originOf(context);
    if (!origin) return;
    const { loc } = node;
    const content = `${origin.file}:${placeIn(origin, loc.start)}:${origin.version}`;
    node.props?.unshift(
      node.props.some(mayBindRef) ? asSymbol(content, loc) : asText(content, loc),
    );
  };
}

/** `:ref="…"`, and `v-bind="…"`, which can have one. */
function mayBindRef({ type, name, arg }: TemplateProp): boolean {
  return type === DIRECTIVE && name === 'bind' && (!arg?.isStatic || arg.content === 'ref');
}

function asText(content: string, loc: TemplateNode['loc']): TemplateProp {
  const value = { type: TEXT, content, loc };
  return { type: ATTRIBUTE, name: KEPT_IN, nameLoc: loc, value, loc };
}

/** `:ref_key="Symbol.for('…')"`: the same symbol in each rendering. */
function asSymbol(place: string, loc: TemplateNode['loc']): TemplateProp {
  const expression = (content: string, isStatic: boolean) => {
    return { type: EXPRESSION, content, isStatic, constType: CONSTANT, loc };
  };
  const [arg, exp] = [
    expression(KEPT_IN, true),
    expression(`Symbol.for(${JSON.stringify(place)})`, false),
  ];
  return { type: DIRECTIVE, name: 'bind', rawName: `:${KEPT_IN}`, arg, exp, modifiers: [], loc };
}

function placeIn(origin: Origin, { line, column }: Start): string {
  return line === 1
    ? `${origin.line}:${origin.column + column - 1}`
    : `${origin.line + line - 1}:${column}`;
}

function isTag({ type, tagType }: TemplateNode): boolean {
  return type === ELEMENT && (tagType === PLAIN_ELEMENT || tagType === COMPONENT);
}

interface Origin {
  /** Relative to Vite's root. */
  file: string;
  version: string;
  /** Where the compiled text begins in the file, 1-based. */
  line: number;
  column: number;
}

const TEMPLATE = /<template\b/;
const TEMPLATE_SRC = /<template\b[^>]*?\ssrc\s*=\s*["']([^"']+)["']/;

/**
 * The file that the template's places count in: the component's own, or the one that `<template src>` names. Null
 * where the template was written in another language: its places are those of generated HTML.
 */
function findOrigin(
  { filename, root: { source, children } }: TemplateContext,
  root: string,
): Origin | null {
  if (source === undefined) return null;
  const origin = (file: string, text: string): Origin => {
    const before = text.slice(0, text.indexOf(source)).split('\n');
    return {
      file: normalizePath(path.relative(root, file)),
      version: versions.keep(file, text),
      line: before.length,
      column: (before.at(-1) ?? '').length + 1,
    };
  };
  // Since Vue 3.4 the text is the whole component, maybe changed by other plugins: the tag stands before its children.
  if (TEMPLATE.test(source.slice(0, children[0]?.loc.start.offset)))
    return origin(filename, source);
  const own = read(filename);
  if (own.includes(source)) return origin(filename, own);
  const src = TEMPLATE_SRC.exec(own)?.[1];
  if (src === undefined) return null;
  const file = path.resolve(path.dirname(filename), src);
  const text = read(file);
  return text.includes(source) ? origin(file, text) : null;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
