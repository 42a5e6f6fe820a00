// Prints, as JSON, what the modules named on the command line export: functions and interfaces with their docs.
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const printer = ts.createPrinter({ removeComments: true });

function docOf(node) {
  const [jsDoc] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).slice(-1);
  const tags = Object.fromEntries(
    (jsDoc?.tags ?? []).map((tag) => [
      tag.tagName.text,
      ts.getTextOfJSDocComment(tag.comment) ?? '',
    ]),
  );
  const oneLine = (text) => text.replace(/\s+/g, ' ').trim();
  return {
    doc: oneLine(ts.getTextOfJSDocComment(jsDoc?.comment) ?? ''),
    default: tags.default === undefined ? null : oneLine(tags.default),
  };
}

function membersOf(node, source) {
  return node.members.map((member) => ({
    name: member.name.getText(source),
    type: ts.isMethodSignature(member)
      ? `(${member.parameters.map((one) => one.getText(source)).join(', ')}) => ${member.type.getText(source)}`
      : member.type.getText(source),
    isOptional: member.questionToken !== undefined,
    ...docOf(member),
    members: member.type && ts.isTypeLiteralNode(member.type) ? membersOf(member.type, source) : [],
  }));
}

function signatureOf(node, source) {
  if (!ts.isFunctionDeclaration(node)) return null;
  const { asteriskToken, name, typeParameters, parameters, type } = node;
  const head = ts.factory.createFunctionDeclaration(
    undefined,
    asteriskToken,
    name,
    typeParameters,
    parameters,
    type,
    undefined,
  );
  return printer.printNode(ts.EmitHint.Unspecified, head, source);
}

function declarationsOf(file) {
  const source = ts.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const exported = source.statements.filter((node) =>
    node.modifiers?.some((one) => one.kind === ts.SyntaxKind.ExportKeyword),
  );
  const own = exported
    .filter((node) => node.name)
    .map((node) => ({
      name: node.name.text,
      ...docOf(node),
      signature: signatureOf(node, source),
      members: ts.isInterfaceDeclaration(node) ? membersOf(node, source) : [],
    }));
  const passedOn = source.statements
    .filter((node) => ts.isExportDeclaration(node) && node.exportClause)
    .flatMap((node) => node.exportClause.elements.map((one) => one.name.text));
  return { own, passedOn };
}

const files = process.argv.slice(2);
process.stdout.write(
  JSON.stringify(Object.fromEntries(files.map((file) => [file, declarationsOf(file)]))),
);
