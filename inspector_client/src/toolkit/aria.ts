// What WAI-ARIA 1.2 says about roles, as far as snapshots need it.

const words = (text: string): Set<string> => new Set(text.split(/\s+/).filter(Boolean));

/** What somebody operates. */
export const WIDGETS =
  words(`button checkbox combobox gridcell link listbox menuitem menuitemcheckbox
  menuitemradio option radio scrollbar searchbox slider spinbutton switch tab textbox treeitem
  Color Date DateTime File Month Time Week`);

export const LANDMARKS = words(
  `banner complementary contentinfo form main navigation region search`,
);

/** Every role that an author may give; the others are passed over. */
export const ROLES = new Set([
  ...words(`alert alertdialog application article banner blockquote button caption cell checkbox code
  columnheader combobox comment complementary contentinfo definition deletion dialog directory document
  emphasis feed figure form generic grid gridcell group heading image img insertion link list listbox
  listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter
  navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup
  rowheader scrollbar search searchbox separator slider spinbutton status strong subscript suggestion
  superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid
  treeitem graphics-document graphics-object graphics-symbol`),
  ...[
    'abstract acknowledgments afterword appendix backlink biblioentry bibliography biblioref chapter',
    'colophon conclusion cover credit credits dedication endnote endnotes epigraph epilogue errata',
    'example footnote foreword glossary glossref index introduction noteref notice pagebreak',
    'pagefooter pageheader pagelist part preface prologue pullquote qna subtitle tip toc',
  ].flatMap((line) => line.split(' ').map((word) => `doc-${word}`)),
]);

export const SYNONYMS: Partial<Record<string, string>> = {
  directory: 'list',
  image: 'img',
  presentation: 'none',
};

export const NAMED_BY_CONTENT =
  words(`button cell checkbox columnheader comment gridcell heading link
  menuitem menuitemcheckbox menuitemradio option radio rowheader switch tab tooltip treeitem
  doc-backlink doc-biblioref doc-glossref doc-noteref`);

/** Their contents are but their looks: what is in them is in the name. */
export const LEAVES = words(`button checkbox img menuitemcheckbox menuitemradio meter option
  progressbar radio scrollbar separator slider switch tab`);

/** An element with one of these says something although its role is `none`. */
export const GLOBAL_ATTRIBUTES = `atomic braillelabel busy controls current describedby description
  details dropeffect flowto grabbed keyshortcuts label labelledby live owns relevant roledescription`
  .split(/\s+/)
  .map((name) => `[aria-${name}]`)
  .join();
