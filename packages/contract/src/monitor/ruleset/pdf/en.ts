import type { PdfTexts } from './model.ts'

/** English texts of the PDF rules. */
export const pdfTextsEn: PdfTexts = {
  why: {
    structure:
      'Screen readers and reflow follow the tags. Where they are missing or wrong, content is skipped, repeated or read in the wrong order.',
    content: 'People who cannot see the page, or see it poorly, get no usable text from it.',
    alternative:
      'People who do not see it learn nothing about it: its description is all that a screen reader has to say.',
    language: 'A screen reader picks its voice by the language. With the wrong one, words become noise.',
    navigation: 'People who cannot skim by eye find their way by headings, bookmarks and links.',
    table: 'A screen reader names the headers of each cell. Without them a table is a row of loose values.',
    form: 'People who work by keyboard or by ear cannot tell which field is which, or cannot reach it.',
    title: 'The title is the first thing that is announced, and what tells one open document from another.',
    access: 'Assistive technology, and the people who rely on it, may be kept out of parts of the document.',
  },
  rules: {
    'pdf-tagged': ['The document is not tagged', 'Export it again with “tagged PDF” switched on.'],
    'pdf-scanned': ['The page is only a picture and has no text', 'Run text recognition, then tag the document.'],
    'pdf-security': [
      'Its protection blocks assistive technology',
      'Allow “text access for screen readers” in the security settings.',
    ],
    'pdf-xfa': ['It is a dynamic XFA form', 'Rebuild it as a plain PDF form, or as a form on the web.'],
    'pdf-portfolio': [
      'It is a portfolio: the files inside were not checked',
      'Publish the files one by one, and check each.',
    ],
    'pdf-title': ['The document has no title', 'Set the title in the document’s properties.'],
    'pdf-title-shown': [
      'The window shows the file name instead of the title',
      'Set “show document title” in the opening view.',
    ],
    'pdf-title-quality': ['The title looks like a file name', 'Write a title that says what the document is about.'],
    'pdf-lang': ['The language of the document is not set', 'Set the document’s language in its properties.'],
    'pdf-lang-valid': ['A language code is not valid', 'Use a code such as en, de-AT or pt-BR.'],
    'pdf-lang-alt': [
      'The language of a description or label is not known',
      'Set the language on the tag, or for the document.',
    ],
    'pdf-lang-meta': ['The language of bookmarks or properties is not known', 'Set the document’s language.'],
    'pdf-content-untagged': [
      'Content is neither tagged nor marked as decoration',
      'Tag it, or mark it as an artifact.',
    ],
    'pdf-artifact-nesting': [
      'Decoration and real content are mixed',
      'Keep artifacts out of tagged content, and the other way round.',
    ],
    'pdf-suspects': [
      'The program that tagged it marked the tags as doubtful',
      'Review the tags, then clear the “suspects” flag.',
    ],
    'pdf-role-unmapped': ['A custom tag has no standard meaning', 'Map the tag to a standard one in the role map.'],
    'pdf-role-loop': ['The role map leads in a circle', 'Fix the role map so that it ends at a standard tag.'],
    'pdf-role-remap': ['A standard tag was given another meaning', 'Take the standard tag out of the role map.'],
    'pdf-parent': ['A tag does not name its parent', 'Export the document again with another program or version.'],
    'pdf-figure-alt': [
      'A picture has no alternative text',
      'Describe what it shows, or mark it as an artifact when it is decoration.',
    ],
    'pdf-alt-quality': [
      'An alternative text looks like a file name or placeholder',
      'Describe what the picture shows.',
    ],
    'pdf-formula-alt': ['A formula has no alternative text', 'Write the formula in words.'],
    'pdf-heading-skip': ['A heading level is skipped', 'Begin with level 1 and go down one level at a time.'],
    'pdf-heading-mix': ['Numbered and unnumbered headings are mixed', 'Use H1 to H6 only.'],
    'pdf-no-headings': ['A longer document has no headings', 'Tag its headings as H1 to H6.'],
    'pdf-bookmarks': ['A long document has no bookmarks', 'Make bookmarks from the headings.'],
    'pdf-table-struct': [
      'Parts of a table are nested wrongly',
      'Nest cells in rows, and rows in the table or its head, body or foot.',
    ],
    'pdf-table-regular': [
      'The rows or columns of a table differ in length',
      'Fix the spans so that all rows have the same number of columns.',
    ],
    'pdf-table-header': [
      'It is not clear which headers a cell has',
      'Give each header cell a scope, or name the headers of each cell.',
    ],
    'pdf-table-headers-id': ['A cell names a header that does not exist', 'Fix the cell’s list of headers.'],
    'pdf-table-noheader': [
      'A table has no header cells',
      'Tag its header cells as TH; a table that is only layout should not be tagged as one.',
    ],
    'pdf-list-struct': [
      'Parts of a list are nested wrongly',
      'Nest items in the list, and label and body in the item.',
    ],
    'pdf-toc-struct': [
      'Parts of a table of contents are nested wrongly',
      'Nest entries (TOCI) in the table of contents (TOC).',
    ],
    'pdf-note-id': ['A note has no identifier of its own', 'Give each note a unique ID.'],
    'pdf-link-tag': ['A link is not inside a link tag', 'Nest the link in a Link tag.'],
    'pdf-link-text': ['A link has no description', 'Say in the link’s properties where it leads.'],
    'pdf-field-name': ['A form field has no name', 'Fill in the field’s tooltip.'],
    'pdf-field-tag': ['A form field is not inside a form tag', 'Nest the field in a Form tag of its own.'],
    'pdf-annot-tag': ['An annotation is not in the tag tree', 'Nest it in an Annot tag.'],
    'pdf-annot-alt': ['An annotation has no description', 'Fill in its contents.'],
    'pdf-trapnet': [
      'It contains printer’s trapping marks that are not permitted',
      'Export it again without trap networks.',
    ],
    'pdf-printer-mark': ['A printer’s mark is tagged as content', 'Take it out of the tag tree.'],
    'pdf-tab-order': ['The Tab key does not follow the tags', 'Set the page’s tab order to “use document structure”.'],
    'pdf-media': ['Sound or video lacks its type or description', 'Set the content type and an alternative text.'],
    'pdf-attachment': ['An attached file has no name', 'Name the attached file.'],
    'pdf-layers': [
      'A layer setting has no name, or switches layers by itself',
      'Name it, and take out its automatic states.',
    ],
    'pdf-form-xobject': [
      'A reused block of content confuses the reading order',
      'Export it again; tagged content may be drawn only once.',
    ],
    'pdf-unicode': [
      'Text cannot be read out: its characters are unknown',
      'Export it again with fonts that keep their Unicode values.',
    ],
    'pdf-font-embed': ['A font is not embedded', 'Embed all fonts when you export.'],
    'pdf-font-data': [
      'The data of a font is inconsistent',
      'Export it again with another program or version, or another font.',
    ],
    'pdf-ua-id': [
      'It does not declare itself as PDF/UA',
      'Export it as PDF/UA-1, or set the mark once everything else is right.',
    ],
    'pdf-header': ['Its first line does not name a PDF version', 'Save it again with a current program.'],
    'pdf-contrast': [
      'Text has too little contrast with what is behind it',
      'Use colors with a contrast of at least 4.5 to 1 (3 to 1 for large text).',
    ],
    'pdf-order': [
      'The tags seem to be in another order than the page',
      'Read the page by its tags, and move those that are out of place.',
    ],
  },
}
