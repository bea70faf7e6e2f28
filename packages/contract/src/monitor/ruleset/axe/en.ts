import type { AxeTexts } from './model.ts'

export const axeTextsEn: AxeTexts = {
  why: {
    aria: 'Assistive technology ignores or misreads ARIA that is not valid, so people are told something wrong about what this is and does.',
    autofill:
      'Browsers fill in known data by this attribute, which spares people with a motor or memory impairment the typing. Here that fails.',
    braille: 'A braille display shows a text that speech does not have: people who use both are told different things.',
    captions: 'People who are deaf or hard of hearing miss what is said.',
    color: 'People who do not see the difference in color cannot tell the link from the text around it.',
    contrast: 'People with low vision or color blindness, and everybody in bright light, can hardly read the text.',
    control:
      'A screen reader can say only what kind of control it is, and voice control has no name to call. People cannot know what it does.',
    field:
      'People who use a screen reader do not know what to enter or choose, and voice control cannot reach the field by a name.',
    focus:
      'People who use the keyboard lose their place: the focus moves in an unexpected order, or stops where there is nothing to do.',
    frame:
      'Screen reader users choose frames by their names. Without a name of its own they must enter each frame to learn what it holds.',
    ghost:
      'The keyboard may stop here, but a screen reader says nothing or contradicts itself: people do not know where they are.',
    headings: 'Many people who use a screen reader find their way by headings. Missing, empty or skipped ones lead them astray.',
    hidden: 'The whole page is hidden from screen readers: to the people who use them it is empty.',
    ids: 'Labels, links and scripts find an element by its ID. When two share one, they may lead to the wrong element.',
    image: 'People who do not see the image learn nothing about it: a screen reader skips it or reads out its file name.',
    keyboard: 'People who use a keyboard instead of a mouse cannot reach it or operate it.',
    labels: 'Screen readers differ in which of several labels they read, so people may hear only half of what they need.',
    language:
      'A screen reader picks its voice by the language. With the wrong one, words are mispronounced beyond understanding.',
    lists: 'A screen reader says how many entries a list has and which one is read. Wrong markup takes that away.',
    mismatch: 'People who use voice control say the words that they see. The name in the code is another, so nothing happens.',
    motion: 'Text that moves or blinks distracts people with attention disorders, and slow readers cannot keep up with it.',
    nested:
      'A screen reader takes the content as one piece: what can be operated inside is not announced, yet still gets the focus.',
    parts:
      'Screen readers build lists, menus, tabs and tables from their parts. With a part missing or out of place they announce them wrongly.',
    regions:
      'Screen reader users jump between regions such as header, navigation and main content. Missing, nested or doubled ones mislead them.',
    rotate: 'People whose device is mounted on a wheelchair or a bed cannot turn it, and get a page that lies on its side.',
    same: 'Screen reader users list links apart from the text. Two of the same name seem to lead to the same place.',
    shortcut: 'Browsers differ in which element they choose for the key, so people who work by shortcuts trigger the wrong one.',
    skip: 'People who use a keyboard or a screen reader have to go through the same menus again on each page.',
    sound: 'Sound that starts by itself drowns out the screen reader, and people cannot hear how to stop it.',
    spacing: 'People with dyslexia or low vision widen lines and letters to read better. This style overrides their settings.',
    tables: 'A screen reader names the headers of each cell. Without them a table is a row of loose values.',
    target: 'People with a tremor, or who use a touch screen with one hand, miss small targets or press the one beside.',
    time: 'The page changes while people are still reading it, and a screen reader starts again at the top.',
    title: 'The title is the first thing that a screen reader says, and what tells one tab from another.',
    twice: 'A screen reader reads the same words twice in a row.',
    unseen: 'What was not tested may contain any fault: the result is not complete.',
    visible:
      'A tooltip or hidden text is no lasting label: people who use a keyboard, a touch screen or magnification do not see it.',
    widget: 'A screen reader says that it is there, but not what it is about.',
    zoom: 'People with low vision enlarge a page to read it. Here the browser does not let them.',
  },
  rules: {
    accesskeys: ['Access keys are not unique', 'Give each access key once, or better remove them.'],
    'area-alt': ['An area of an image map has no alternative text', 'Say in alt where the area leads.'],
    'aria-allowed-attr': [
      'The role does not support this ARIA attribute',
      'Remove the attribute, or use the role that it belongs to.',
    ],
    'aria-allowed-role': [
      'The role is not allowed on this element',
      'Remove the role, or put it on a div or span. Better still, use the HTML element that has it by nature.',
    ],
    'aria-braille-equivalent': [
      'A braille text has no spoken counterpart',
      'Add aria-label or aria-roledescription, or remove the braille attribute.',
    ],
    'aria-command-name': ['A button, link or menu item has no name', 'Put text inside it, or name it with aria-label.'],
    'aria-conditional-attr': [
      'An ARIA attribute conflicts with its element',
      'Remove it. A checkbox or radio button has its state from HTML, such as checked. A table row may have aria-expanded, aria-level, aria-posinset and aria-setsize only in a treegrid.',
    ],
    'aria-deprecated-role': ['The role is deprecated', 'Remove it, or use the role or element that took its place.'],
    'aria-dialog-name': ['A dialog has no name', 'Point aria-labelledby at its heading, or name it with aria-label.'],
    'aria-hidden-body': [
      'The whole page is hidden from assistive technology',
      'Remove aria-hidden from the body. To hide what is behind a dialog, put it on that part only.',
    ],
    'aria-hidden-focus': [
      'A hidden element can receive the focus',
      'Take it out of the tab order with tabindex="-1", disable it or use the inert attribute, or do not hide it.',
    ],
    'aria-input-field-name': [
      'A custom input field has no name',
      'Point aria-labelledby at its visible label, or name it with aria-label.',
    ],
    'aria-meter-name': ['A meter has no name', 'Say with aria-label or aria-labelledby what it measures.'],
    'aria-progressbar-name': ['A progress bar has no name', 'Say with aria-label or aria-labelledby what is in progress.'],
    'aria-prohibited-attr': [
      'Prohibited ARIA attribute',
      'Remove the attribute and write the text into the page, or give the element a role that permits it.',
    ],
    'aria-required-attr': [
      'A required ARIA attribute is missing',
      'Add the attribute that the role requires, or use the HTML element instead.',
    ],
    'aria-required-children': [
      'Required child roles are missing',
      'Put only elements with the expected roles inside, or remove the role.',
    ],
    'aria-required-parent': ['The required parent role is missing', 'Wrap the element in one with the expected role.'],
    'aria-roledescription': [
      'A role description is on an element without a role',
      'Give the element a role that fits, or remove aria-roledescription.',
    ],
    'aria-roles': ['Invalid ARIA role', 'Correct the spelling, or remove the role.'],
    'aria-tab-name': ['A tab has no name', 'Put text inside it, or name it with aria-label.'],
    'aria-text': [
      'Text that is read as one piece contains a control',
      'Remove role="text", or move the link or button out of it.',
    ],
    'aria-toggle-field-name': [
      'A custom checkbox, radio button or switch has no name',
      'Put a text inside it, or name it with aria-labelledby or aria-label.',
    ],
    'aria-tooltip-name': ['A tooltip has no text', 'Write its text inside it, or name it with aria-label.'],
    'aria-treeitem-name': ['A tree item has no name', 'Put text inside it, or name it with aria-label.'],
    'aria-valid-attr': ['Invalid ARIA attribute', 'Correct the spelling, or remove the attribute.'],
    'aria-valid-attr-value': [
      'Invalid value of an ARIA attribute',
      'Use one of its permitted values. Where it names an ID, an element of that ID has to exist.',
    ],
    'audio-caption': [
      'Audio has no captions',
      'Put a transcript beside it. Browsers show no captions of an audio element: to show them, play it in a video element with a track of captions.',
    ],
    'autocomplete-valid': [
      'Invalid autocomplete attribute',
      'Use a value of the HTML standard that suits the field, such as email or postal-code.',
    ],
    'avoid-inline-spacing': [
      'Text spacing cannot be adjusted',
      'Remove !important from line-height, letter-spacing and word-spacing in the style attribute.',
    ],
    blink: ['Blinking text', 'Remove the blink element and emphasize the text in another way.'],
    'button-name': ['A button has no name', 'Put text inside it. For a button with only an icon, add aria-label.'],
    bypass: [
      'Repeated content cannot be skipped',
      'Mark up main, navigation and headings, and add a skip link as the first link.',
    ],
    'color-contrast': [
      'The text has too little contrast',
      'Make the text darker or the background lighter (or the reverse): at least 4.5 to 1, for large text 3 to 1.',
    ],
    'color-contrast-enhanced': [
      'The text does not reach the enhanced contrast',
      'Make the text darker or the background lighter (or the reverse): at least 7 to 1, for large text 4.5 to 1.',
    ],
    'css-orientation-lock': [
      'The page is locked to one orientation',
      'Remove the rotation from the media query; lay the page out for portrait and landscape.',
    ],
    'definition-list': [
      'A description list is structured incorrectly',
      'Put only dt and dd groups into dl, or div elements that hold them.',
    ],
    dlitem: ['A term or description is outside a description list', 'Wrap dt and dd in a dl element.'],
    'document-title': ['The page has no title', 'Write a title element that names the page first, then the site.'],
    'duplicate-id': ['IDs are not unique', 'Give each element an ID of its own.'],
    'duplicate-id-active': ['IDs of controls are not unique', 'Give each control an ID of its own.'],
    'duplicate-id-aria': [
      'IDs used by labels or ARIA are not unique',
      'Give each element an ID of its own, and check what refers to it.',
    ],
    'empty-heading': ['A heading is empty', 'Write its text, or remove the heading. An image inside needs an alternative text.'],
    'empty-table-header': [
      'A header cell of a table is empty',
      'Write what the row or column contains. Use td for an empty corner.',
    ],
    'focus-order-semantics': ['A focusable element has no interactive role', 'Use a button or link, or remove tabindex.'],
    'form-field-multiple-labels': [
      'A form field has multiple labels',
      'Join them to one label; describe the rest with aria-describedby.',
    ],
    'frame-focusable-content': [
      'A frame with focusable content is not in the tab order',
      'Remove the negative tabindex from the frame.',
    ],
    'frame-tested': [
      'The content of a frame could not be tested',
      'The notices of the page say why. Scan its URL by itself, or check it by hand. A sandbox may stay: with allow-scripts it can be tested. Hide a frame that is only decoration with aria-hidden="true".',
    ],
    'frame-title': ['A frame has no title', 'Say in its title attribute what it contains.'],
    'frame-title-unique': ['Frame titles are not unique', 'Give each frame a title of its own that says what it contains.'],
    'heading-order': [
      'A heading level is skipped',
      'Use the level that follows from the heading above: h3 below h2. Set the size with CSS.',
    ],
    'hidden-content': ['Hidden content was not tested', 'Show it, by a script of the scan for example, and test again.'],
    'html-has-lang': ['The language of the page is not set', 'Set lang on the html element, such as lang="en".'],
    'html-lang-valid': ['Invalid language of the page', 'Use a valid code in lang, such as en, de-AT or pt-BR.'],
    'html-xml-lang-mismatch': [
      'lang and xml:lang do not match',
      'Set lang and xml:lang to the same language, or remove xml:lang.',
    ],
    'identical-links-same-purpose': [
      'Links with the same name lead to different places',
      'Name each link by its target, or point both at the same one.',
    ],
    'image-alt': [
      'An image has no alternative text',
      'Say in alt what the image shows or does. Leave alt empty (alt="") when it is decoration.',
    ],
    'image-redundant-alt': ['Alternative text repeats adjacent text', 'Leave alt empty when the text already says it.'],
    'input-button-name': ['A form button has no label', 'Write its name into the value attribute.'],
    'input-image-alt': ['An image button has no alternative text', 'Say in alt what the button does.'],
    label: [
      'A form field has no label',
      'Add a label element whose for is the ID of the field. Where there is no room, use aria-label.',
    ],
    'label-content-name-mismatch': [
      'The accessible name does not contain the visible text',
      'Begin aria-label with the visible text, or remove it.',
    ],
    'label-title-only': ['A form field has no visible label', 'Add a label element that can be seen.'],
    'landmark-banner-is-top-level': [
      'The banner landmark is inside another landmark',
      'Move it out of main, navigation and the like.',
    ],
    'landmark-complementary-is-top-level': [
      'A complementary landmark is inside another landmark',
      'Move the aside element out of the other region.',
    ],
    'landmark-contentinfo-is-top-level': [
      'The contentinfo landmark is inside another landmark',
      'Move it out of main, navigation and the like.',
    ],
    'landmark-main-is-top-level': [
      'The main landmark is inside another landmark',
      'Move the main element out of the other region.',
    ],
    'landmark-no-duplicate-banner': [
      'The page has more than one banner landmark',
      'Keep one header at the top level; put others inside a section or article.',
    ],
    'landmark-no-duplicate-contentinfo': [
      'The page has more than one contentinfo landmark',
      'Keep one footer at the top level; put others inside a section or article.',
    ],
    'landmark-no-duplicate-main': ['The page has more than one main landmark', 'Put all main content into one main element.'],
    'landmark-one-main': ['The page has no main landmark', 'Wrap the main content in a main element.'],
    'landmark-unique': ['Landmarks need unique names', 'Give each region of the same kind a name with aria-label.'],
    'link-in-text-block': [
      'A link is distinguished by color only',
      'Underline links in text, or give them a contrast of 3 to 1 to the text and an underline on hover and focus.',
    ],
    'link-name': ['A link has no name', 'Put text inside it that says where it leads. An image in it needs an alternative text.'],
    list: ['A list has invalid children', 'Put only li elements directly into ul or ol.'],
    listitem: ['A list item is outside a list', 'Wrap li elements in ul or ol.'],
    marquee: ['Scrolling text', 'Remove the marquee element and show the text at rest.'],
    'meta-refresh': [
      'The page refreshes or redirects automatically',
      'Remove the refresh. Redirect on the server, or let people choose when.',
    ],
    'meta-refresh-no-exceptions': [
      'The page refreshes or redirects automatically, even after a long time',
      'Remove the refresh and let people choose when.',
    ],
    'meta-viewport': ['Zooming is disabled', 'Remove user-scalable=no, and maximum-scale below 2.'],
    'meta-viewport-large': ['Zooming is limited', 'Remove maximum-scale, or set it to 5 or more.'],
    'nested-interactive': ['Interactive controls are nested', 'Put the two beside each other.'],
    'no-autoplay-audio': [
      'Audio plays automatically for more than 3 seconds',
      'Remove autoplay, or add a control to stop or mute it.',
    ],
    'object-alt': ['An embedded object has no alternative text', 'Name it with aria-label or title.'],
    'p-as-heading': ['A paragraph is styled as a heading', 'Use a heading element, h1 to h6, and style it with CSS.'],
    'page-has-heading-one': ['The page has no level-one heading', 'Mark up the title of the main content as h1.'],
    'presentation-role-conflict': [
      'A presentational element is exposed to assistive technology',
      'Remove tabindex and ARIA attributes from it, or the role none.',
    ],
    region: ['Content is outside landmarks', 'Put it into header, nav, main, aside or footer.'],
    'role-img-alt': [
      'An element with the role of an image has no alternative text',
      'Name it with aria-label or aria-labelledby.',
    ],
    'scope-attr-valid': ['Invalid scope attribute', 'Use scope only on th, with row, col, rowgroup or colgroup.'],
    'scrollable-region-focusable': [
      'A scrollable region is not keyboard accessible',
      'Add tabindex="0" to the region, and a role and a name.',
    ],
    'select-name': ['A select field has no label', 'Add a label element whose for is the ID of the field.'],
    'server-side-image-map': ['Server-side image map', 'Use a map with area elements, or plain links.'],
    'skip-link': [
      'The target of a skip link does not exist',
      'Give the main content the ID that the link names, and make it focusable with tabindex="-1". Show the link while it has the focus.',
    ],
    'summary-name': ['A summary has no name', 'Write into the summary element what opens.'],
    'svg-img-alt': [
      'An SVG image has no alternative text',
      'Name it with aria-label or a title element, or hide decoration with aria-hidden="true".',
    ],
    tabindex: [
      'A positive tabindex changes the tab order',
      'Use tabindex="0" or none, and put the elements into the right order in the code.',
    ],
    'table-duplicate-name': [
      'Table caption and summary are identical',
      'Keep the caption and remove the summary, or let it say something else.',
    ],
    'table-fake-caption': ['A cell is used as the caption of a table', 'Move its text into a caption element.'],
    'target-size': [
      'A target is too small and too close to others',
      'Make it at least 24 by 24 pixels, or leave more room around it.',
    ],
    'td-has-header': ['A data cell of a large table has no header', 'Use th with scope for headers of rows and columns.'],
    'td-headers-attr': [
      'A cell refers to headers that are not in its table',
      'List in headers only IDs of th elements of the same table.',
    ],
    'th-has-data-cells': ['A table header has no data cells', 'Correct the table or its scope; use td where it is no header.'],
    'valid-lang': ['Invalid lang attribute', 'Use a valid code in lang, such as fr or pt-BR.'],
    'video-caption': [
      'A video has no captions',
      'Add a track of the kind captions that holds all that is said, and sounds that matter.',
    ],
  },
}
