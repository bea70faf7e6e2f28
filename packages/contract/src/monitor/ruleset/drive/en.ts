import type { DriveTexts } from './model.ts'

export const driveTextsEn: DriveTexts = {
  why: {
    focus: 'People who work by keyboard lose their place: they cannot tell which element reacts to the next key.',
    keyboard: 'People who cannot use a mouse cannot use this part of the page, or cannot leave it.',
    role: 'A screen reader stops here and has nothing to say about what the element is or does.',
    surprise: 'A page that changes by itself while people move through it takes them away from what they were doing.',
    zoom: 'People who enlarge text, or read on a small screen, cannot read everything or have to scroll for each line.',
    hover: 'Content that appears under the pointer covers what people read, and they cannot close it or move onto it.',
    language: 'A screen reader picks its voice by the language. With the wrong one, words become noise.',
    title: 'The title is the first thing that is announced, and what tells one open page from another.',
    alternative: 'People who do not see the picture hear the name of a file, which tells them nothing.',
  },
  rules: {
    'drive-focus-visible': [
      'The keyboard focus is not visible',
      'Show an outline or another clear change of the element with :focus-visible, in a color that stands out from what is behind it.',
    ],
    'drive-invisible-stop': [
      'The keyboard focus goes to something invisible',
      'Take the element out of the tab order while it is not shown, or show it when it has the focus.',
    ],
    'drive-stop-without-role': [
      'A tab stop does not say what it is',
      'Use a button or a link, or give the element a role and a name; text that does nothing needs no tabindex.',
    ],
    'drive-focus-obscured': [
      'The focused element is covered by a fixed bar',
      'Keep room for the bar with scroll-padding, or make it part of the page’s flow.',
    ],
    'drive-on-focus': ['Focus alone opens another page', 'Act when people press the element, not when it gets the focus.'],
    'drive-keyboard-trap': [
      'The keyboard focus cannot leave the element',
      'Let Tab and Shift+Tab pass, or let Escape give the focus back.',
    ],
    'drive-reflow': [
      'Lines of text do not fit a window of 320 pixels',
      'Let the text wrap: no fixed widths, no nowrap, and columns that stack in a narrow window.',
    ],
    'drive-hover-content': [
      'Content that appears on hover covers other text and cannot be closed',
      'Let Escape close it, and keep it open while the pointer is on it.',
    ],
    'drive-mouse-only': [
      'Works with the mouse only',
      'Use a button or a link; otherwise make the element focusable and react to Enter and Space.',
    ],
    'drive-page-language': [
      'The text is not in the language that the page declares',
      'Set lang on the html element to the language of the text.',
    ],
    'drive-site-titles': [
      'Different pages have the same title',
      'Begin the title with what the page is about, then the name of the site.',
    ],
    'drive-orientation': [
      'The content is turned in one orientation of the screen',
      'Remove the rotation, and let the layout follow the orientation.',
    ],
    'drive-image-file-name': [
      'The alternative text is the name of a file',
      'Describe what the picture shows, or leave the alternative text empty if it is decoration.',
    ],
    'drive-text-spacing': [
      'Text is cut when its spacing is increased',
      'Let boxes grow with their text: min-height instead of height, and no overflow: hidden.',
    ],
    'drive-zoom-text': [
      'Text is cut when the page is enlarged to 200 %',
      'Let boxes grow with their text instead of following the size of the window.',
    ],
    'drive-zoom-scale': [
      'Text does not become larger when the page is enlarged',
      'Set sizes of text in rem or em, not by the size of the window alone.',
    ],
  },
  tests: {
    'drive-focus-visible': [
      'Tab moves through the page. An element fails if no style of it or of anything around it changes. Text fields with a caret, players and frames are exempt.',
      'The change is hardly visible, or the element is an unnamed box that only scrolls.',
    ],
    'drive-invisible-stop': [
      'Tab moves through the page. An element fails if it has the focus while it is outside the window, transparent, cut off or covered.',
      'The element has no size, or holds only an icon whose font may be missing.',
    ],
    'drive-stop-without-role': [
      'Enter, Space and a click are tried on tab stops without a role. An element fails if one of them changes something.',
      'The element can be focused, and nothing happens.',
    ],
    'drive-focus-obscured': [
      'Tab and Shift+Tab move through the page. An element fails if a fixed bar covers all of it while it has the focus.',
      '',
    ],
    'drive-on-focus': [
      'Each element gets the focus. It fails if the page then tries to open another one, which Clearway prevents.',
      '',
    ],
    'drive-keyboard-trap': [
      'Where the focus stays, Tab, Shift+Tab and Escape are tried. The element fails if none of them leads out.',
      'The focus stays in a dialog, or the page names a key that leads out.',
    ],
    'drive-reflow': [
      'The window is narrowed to 320 pixels. A line fails if it fitted at 1,280 pixels and now crosses the edge or is cut. Tables, code, media, maps and boxes that scroll by themselves are exempt.',
      'A line is wholly beyond the edge, or ends with an ellipsis.',
    ],
    'drive-hover-content': [
      'The pointer moves onto elements that show something, then Escape is pressed.',
      'What appears covers other text, and Escape does not close it.',
    ],
    'drive-mouse-only': [
      'Elements that react to clicks are clicked. Those that can be focused are first tried with Enter, Space and the down arrow key. An element fails if only the click changes something.',
      '',
    ],
    'drive-page-language': [
      'The language of the text is told by its script and its sequences of letters, from 400 characters on. The page fails if lang names another language.',
      'The two languages are hard to tell apart in this text.',
    ],
    'drive-site-titles': [
      'The titles of all tested pages of a run are compared. Pages fail if they share a title although their content differs.',
      'The addresses differ only in numbers, as pages of a list do, or the content is much alike.',
    ],
    'drive-orientation': [
      'The window is turned from landscape to portrait. The page fails if most of its content is then rotated.',
      '',
    ],
    'drive-image-file-name': [
      'Alternative texts are compared with the names of the image files. An image fails if its alternative text is the name of its file.',
      'The alternative text looks like the name of another file, or like the name that a camera or a program gave.',
    ],
    'drive-text-spacing': [
      'Lines, letters and words are spaced as WCAG 1.4.12 requires.',
      'Text that was whole before is then cut.',
    ],
    'drive-zoom-text': ['The page is shown as at 200 % zoom.', 'Text that was whole before is then cut.'],
    'drive-zoom-scale': ['The page is measured at 200 % and at 400 % zoom.', 'Text is less than 1.9 times as large at both.'],
  },
}
