/** Reasons why a fault on a page matters; each has a text in every language. */
export type AxeImportance =
  | 'aria'
  | 'autofill'
  | 'braille'
  | 'captions'
  | 'color'
  | 'contrast'
  | 'control'
  | 'field'
  | 'focus'
  | 'frame'
  | 'ghost'
  | 'headings'
  | 'hidden'
  | 'ids'
  | 'image'
  | 'keyboard'
  | 'labels'
  | 'language'
  | 'lists'
  | 'mismatch'
  | 'motion'
  | 'nested'
  | 'parts'
  | 'regions'
  | 'rotate'
  | 'same'
  | 'shortcut'
  | 'skip'
  | 'sound'
  | 'spacing'
  | 'tables'
  | 'target'
  | 'time'
  | 'title'
  | 'twice'
  | 'unseen'
  | 'visible'
  | 'widget'
  | 'zoom'

/**
 * Rule of axe-core, importance, code with the fault, and the same code without it. Contains the rules of all shipped versions.
 */
const axeRuleRows = [
  [
    'accesskeys',
    'shortcut',
    '<button accesskey="s">Save</button>\n<button accesskey="s">Send</button>',
    '<button accesskey="s">Save</button>\n<button>Send</button>',
  ],
  [
    'area-alt',
    'control',
    '<map name="m"><area shape="rect" coords="0,0,50,50" href="/north"></map>\n<img src="map.png" usemap="#m" alt="Regions">',
    '<map name="m"><area shape="rect" coords="0,0,50,50" href="/north" alt="North"></map>\n<img src="map.png" usemap="#m" alt="Regions">',
  ],
  [
    'aria-allowed-attr',
    'aria',
    '<button role="link" aria-pressed="true">Print</button>',
    '<button aria-pressed="true">Print</button>',
  ],
  ['aria-allowed-role', 'aria', '<h2 role="button">Details</h2>', '<h2><button>Details</button></h2>'],
  [
    'aria-braille-equivalent',
    'braille',
    '<button aria-braillelabel="****"></button>',
    '<button aria-braillelabel="****" aria-label="4 stars"></button>',
  ],
  ['aria-command-name', 'control', '<div role="button" tabindex="0"></div>', '<div role="button" tabindex="0">Close</div>'],
  [
    'aria-conditional-attr',
    'aria',
    '<input type="checkbox" aria-checked="true" aria-label="News">',
    '<input type="checkbox" checked aria-label="News">',
  ],
  ['aria-deprecated-role', 'aria', '<ul role="directory"><li>Ann</li></ul>', '<ul><li>Ann</li></ul>'],
  [
    'aria-dialog-name',
    'widget',
    '<div role="dialog"><h2>Delete?</h2></div>',
    '<div role="dialog" aria-labelledby="t"><h2 id="t">Delete?</h2></div>',
  ],
  ['aria-hidden-body', 'hidden', '<body aria-hidden="true">…</body>', '<body>…</body>'],
  ['aria-hidden-focus', 'ghost', '<div aria-hidden="true"><a href="/help">Help</a></div>', '<div><a href="/help">Help</a></div>'],
  [
    'aria-input-field-name',
    'field',
    '<div role="textbox" contenteditable></div>',
    '<div role="textbox" contenteditable aria-label="Comment"></div>',
  ],
  [
    'aria-meter-name',
    'widget',
    '<div role="meter" aria-valuenow="40"></div>',
    '<div role="meter" aria-valuenow="40" aria-label="Storage"></div>',
  ],
  [
    'aria-progressbar-name',
    'widget',
    '<div role="progressbar" aria-valuenow="40"></div>',
    '<div role="progressbar" aria-valuenow="40" aria-label="Upload"></div>',
  ],
  ['aria-prohibited-attr', 'aria', '<span aria-label="new">3</span>', '<span>3 new</span>'],
  [
    'aria-required-attr',
    'aria',
    '<div role="checkbox" tabindex="0">News</div>',
    '<div role="checkbox" tabindex="0" aria-checked="false">News</div>',
  ],
  [
    'aria-required-children',
    'parts',
    '<div role="list"><div role="button">Ann</div></div>',
    '<div role="list"><div role="listitem">Ann</div></div>',
  ],
  ['aria-required-parent', 'parts', '<div role="tab">Facts</div>', '<div role="tablist"><div role="tab">Facts</div></div>'],
  ['aria-roledescription', 'aria', '<p aria-roledescription="slide">1 of 3</p>', '<p>Slide 1 of 3</p>'],
  ['aria-roles', 'aria', '<div role="buton">Save</div>', '<div role="button" tabindex="0">Save</div>'],
  [
    'aria-tab-name',
    'widget',
    '<div role="tablist"><div role="tab" tabindex="0"></div></div>',
    '<div role="tablist"><div role="tab" tabindex="0">Facts</div></div>',
  ],
  ['aria-text', 'nested', '<p role="text">Read <a href="/terms">our terms</a></p>', '<p>Read <a href="/terms">our terms</a></p>'],
  [
    'aria-toggle-field-name',
    'field',
    '<div role="switch" aria-checked="true" tabindex="0"></div>',
    '<div role="switch" aria-checked="true" tabindex="0" aria-label="Wi-Fi"></div>',
  ],
  ['aria-tooltip-name', 'widget', '<div role="tooltip"></div>', '<div role="tooltip">At least 8 letters</div>'],
  [
    'aria-treeitem-name',
    'widget',
    '<div role="tree"><div role="treeitem"></div></div>',
    '<div role="tree"><div role="treeitem">Photos</div></div>',
  ],
  ['aria-valid-attr', 'aria', '<button aria-lable="Close">×</button>', '<button aria-label="Close">×</button>'],
  ['aria-valid-attr-value', 'aria', '<button aria-expanded="open">Menu</button>', '<button aria-expanded="true">Menu</button>'],
  [
    'audio-caption',
    'captions',
    '<audio src="talk.mp3" controls></audio>',
    '<video src="talk.mp3" controls><track kind="captions" src="talk.vtt"></video>\n<a href="talk.html">Transcript</a>',
  ],
  [
    'autocomplete-valid',
    'autofill',
    '<input autocomplete="mail" aria-label="E-mail">',
    '<input autocomplete="email" aria-label="E-mail">',
  ],
  [
    'avoid-inline-spacing',
    'spacing',
    '<p style="letter-spacing: 0.02em !important">Text</p>',
    '<p style="letter-spacing: 0.02em">Text</p>',
  ],
  ['blink', 'motion', '<blink>Sale!</blink>', '<strong>Sale!</strong>'],
  [
    'button-name',
    'control',
    '<button><svg aria-hidden="true"></svg></button>',
    '<button aria-label="Search"><svg aria-hidden="true"></svg></button>',
  ],
  [
    'bypass',
    'skip',
    '<body><div><a href="/">Home</a> …</div><div>Text …</div></body>',
    '<body><nav><a href="/">Home</a> …</nav><main><h1>Text</h1>…</main></body>',
  ],
  [
    'color-contrast',
    'contrast',
    '<p style="color: #999; background: #fff">Text</p>',
    '<p style="color: #595959; background: #fff">Text</p>',
  ],
  [
    'color-contrast-enhanced',
    'contrast',
    '<p style="color: #767676; background: #fff">Text</p>',
    '<p style="color: #595959; background: #fff">Text</p>',
  ],
  [
    'css-orientation-lock',
    'rotate',
    '@media (orientation: portrait) { body { transform: rotate(90deg) } }',
    '@media (orientation: portrait) { body { display: block } }',
  ],
  ['definition-list', 'lists', '<dl><p>Price</p><dd>5 €</dd></dl>', '<dl><dt>Price</dt><dd>5 €</dd></dl>'],
  ['dlitem', 'lists', '<dt>Price</dt><dd>5 €</dd>', '<dl><dt>Price</dt><dd>5 €</dd></dl>'],
  ['document-title', 'title', '<head><title></title></head>', '<head><title>Opening hours – City library</title></head>'],
  ['duplicate-id', 'ids', '<p id="a">One</p><p id="a">Two</p>', '<p id="a">One</p><p id="b">Two</p>'],
  [
    'duplicate-id-active',
    'ids',
    '<button id="a">Save</button><button id="a">Send</button>',
    '<button id="a">Save</button><button id="b">Send</button>',
  ],
  [
    'duplicate-id-aria',
    'ids',
    '<p id="a">Name</p><p id="a">City</p><input aria-labelledby="a">',
    '<p id="a">Name</p><p id="b">City</p><input aria-labelledby="a">',
  ],
  ['empty-heading', 'headings', '<h2></h2>', '<h2>Opening hours</h2>'],
  [
    'empty-table-header',
    'tables',
    '<table><tr><th></th></tr><tr><td>5 €</td></tr></table>',
    '<table><tr><th>Price</th></tr><tr><td>5 €</td></tr></table>',
  ],
  ['focus-order-semantics', 'focus', '<span tabindex="0">Open</span>', '<button>Open</button>'],
  [
    'form-field-multiple-labels',
    'labels',
    '<label for="n">Name</label><label for="n">First and last</label><input id="n">',
    '<label for="n">Name (first and last)</label><input id="n">',
  ],
  [
    'frame-focusable-content',
    'keyboard',
    '<iframe title="Map" tabindex="-1" srcdoc="<button>Zoom</button>"></iframe>',
    '<iframe title="Map" srcdoc="<button>Zoom</button>"></iframe>',
  ],
  [
    'frame-tested',
    'unseen',
    '<iframe src="map.html" title="Map" sandbox></iframe>',
    '<iframe src="map.html" title="Map" sandbox="allow-scripts"></iframe>',
  ],
  ['frame-title', 'frame', '<iframe src="map.html"></iframe>', '<iframe src="map.html" title="Map of our shops"></iframe>'],
  [
    'frame-title-unique',
    'frame',
    '<iframe src="a.html" title="Frame"></iframe>\n<iframe src="b.html" title="Frame"></iframe>',
    '<iframe src="a.html" title="Map"></iframe>\n<iframe src="b.html" title="Opening hours"></iframe>',
  ],
  ['heading-order', 'headings', '<h1>Shop</h1>\n<h4>Shoes</h4>', '<h1>Shop</h1>\n<h2>Shoes</h2>'],
  ['hidden-content', 'unseen', '<div style="display: none">Menu</div>', '<div>Menu</div>'],
  ['html-has-lang', 'language', '<html>', '<html lang="en">'],
  ['html-lang-valid', 'language', '<html lang="english">', '<html lang="en">'],
  ['html-xml-lang-mismatch', 'language', '<html lang="en" xml:lang="fr">', '<html lang="en" xml:lang="en">'],
  [
    'identical-links-same-purpose',
    'same',
    '<a href="/shoes">More</a> <a href="/hats">More</a>',
    '<a href="/shoes">More shoes</a> <a href="/hats">More hats</a>',
  ],
  ['image-alt', 'image', '<img src="chart.png">', '<img src="chart.png" alt="Sales grew by a third in 2026">'],
  [
    'image-redundant-alt',
    'twice',
    '<a href="/"><img src="home.png" alt="Home"> Home</a>',
    '<a href="/"><img src="home.png" alt=""> Home</a>',
  ],
  ['input-button-name', 'control', '<input type="button">', '<input type="button" value="Search">'],
  ['input-image-alt', 'control', '<input type="image" src="go.png">', '<input type="image" src="go.png" alt="Search">'],
  ['label', 'field', 'Name <input>', '<label for="name">Name</label> <input id="name">'],
  [
    'label-content-name-mismatch',
    'mismatch',
    '<button aria-label="Submit">Send order</button>',
    '<button aria-label="Send order now">Send order</button>',
  ],
  ['label-title-only', 'visible', '<input title="Your city">', '<label for="city">City</label> <input id="city">'],
  [
    'landmark-banner-is-top-level',
    'regions',
    '<main><div role="banner">Logo</div></main>',
    '<div role="banner">Logo</div><main>…</main>',
  ],
  ['landmark-complementary-is-top-level', 'regions', '<nav>Menu <aside>Tips</aside></nav>', '<nav>Menu</nav><aside>Tips</aside>'],
  [
    'landmark-contentinfo-is-top-level',
    'regions',
    '<main><div role="contentinfo">Imprint</div></main>',
    '<main>…</main><div role="contentinfo">Imprint</div>',
  ],
  ['landmark-main-is-top-level', 'regions', '<nav><main>Text</main></nav>', '<nav>Menu</nav><main>Text</main>'],
  ['landmark-no-duplicate-banner', 'regions', '<header>Logo</header><header>Menu</header>', '<header>Logo, menu</header>'],
  [
    'landmark-no-duplicate-contentinfo',
    'regions',
    '<footer>Imprint</footer><footer>Contact</footer>',
    '<footer>Imprint, contact</footer>',
  ],
  ['landmark-no-duplicate-main', 'regions', '<main>News</main><main>Text</main>', '<main>News, text</main>'],
  ['landmark-one-main', 'regions', '<body><div>Text</div></body>', '<body><main>Text</main></body>'],
  [
    'landmark-unique',
    'regions',
    '<nav>Shop</nav><nav>Help</nav>',
    '<nav aria-label="Shop">Shop</nav><nav aria-label="Help">Help</nav>',
  ],
  [
    'link-in-text-block',
    'color',
    '<style>a { color: #00f; text-decoration: none }</style>\n<p>Read <a href="/terms">our terms</a> before you order.</p>',
    '<style>a { color: #00f; text-decoration: underline }</style>\n<p>Read <a href="/terms">our terms</a> before you order.</p>',
  ],
  [
    'link-name',
    'control',
    '<a href="/cart"><img src="cart.png" alt=""></a>',
    '<a href="/cart"><img src="cart.png" alt="Shopping cart"></a>',
  ],
  ['list', 'lists', '<ul><p>Shoes</p></ul>', '<ul><li>Shoes</li></ul>'],
  ['listitem', 'lists', '<div><li>Shoes</li></div>', '<ul><li>Shoes</li></ul>'],
  ['marquee', 'motion', '<marquee>Sale!</marquee>', '<p>Sale!</p>'],
  ['meta-refresh', 'time', '<meta http-equiv="refresh" content="30; url=/next">', '<a href="/next">Next page</a>'],
  ['meta-refresh-no-exceptions', 'time', '<meta http-equiv="refresh" content="90000">', '<button type="button">Refresh</button>'],
  [
    'meta-viewport',
    'zoom',
    '<meta name="viewport" content="width=device-width, user-scalable=no">',
    '<meta name="viewport" content="width=device-width">',
  ],
  [
    'meta-viewport-large',
    'zoom',
    '<meta name="viewport" content="width=device-width, maximum-scale=3">',
    '<meta name="viewport" content="width=device-width, maximum-scale=5">',
  ],
  [
    'nested-interactive',
    'nested',
    '<button>Open <a href="/help">help</a></button>',
    '<button>Open</button> <a href="/help">Help</a>',
  ],
  ['no-autoplay-audio', 'sound', '<audio src="song.mp3" autoplay></audio>', '<audio src="song.mp3" controls></audio>'],
  ['object-alt', 'image', '<object data="chart.svg"></object>', '<object data="chart.svg" aria-label="Sales by month"></object>'],
  [
    'p-as-heading',
    'headings',
    '<p style="font-size: 1.5em; font-weight: bold">Opening hours</p>\n<p>We are open on all days from nine to five.</p>',
    '<h2>Opening hours</h2>\n<p>We are open on all days from nine to five.</p>',
  ],
  ['page-has-heading-one', 'headings', '<h2>City library</h2>', '<h1>City library</h1>'],
  ['presentation-role-conflict', 'ghost', '<li role="none" tabindex="0">Ann</li>', '<li role="none">Ann</li>'],
  ['region', 'regions', '<body><p>Offers</p><main>…</main></body>', '<body><main><p>Offers</p>…</main></body>'],
  ['role-img-alt', 'image', '<div role="img">📈</div>', '<div role="img" aria-label="Sales grew">📈</div>'],
  [
    'scope-attr-valid',
    'tables',
    '<table><tr><th scope="column">Price</th></tr><tr><td>5 €</td></tr></table>',
    '<table><tr><th scope="col">Price</th></tr><tr><td>5 €</td></tr></table>',
  ],
  [
    'scrollable-region-focusable',
    'keyboard',
    '<div style="height: 3em; overflow: auto"><p style="margin-top: 9em">Terms …</p></div>',
    '<div style="height: 3em; overflow: auto" tabindex="0" role="region" aria-label="Terms"><p style="margin-top: 9em">Terms …</p></div>',
  ],
  [
    'select-name',
    'field',
    '<select><option>Red</option></select>',
    '<label for="color">Color</label> <select id="color"><option>Red</option></select>',
  ],
  [
    'server-side-image-map',
    'keyboard',
    '<a href="/map"><img src="map.png" alt="Map" ismap></a>',
    '<a href="/map/north">North</a> <a href="/map/south">South</a>',
  ],
  [
    'skip-link',
    'skip',
    '<style>.skip { position: absolute; left: -999px } .skip:focus { left: 0 }</style>\n<a href="#content" class="skip">Skip to content</a>\n<main>…</main>',
    '<style>.skip { position: absolute; left: -999px } .skip:focus { left: 0 }</style>\n<a href="#content" class="skip">Skip to content</a>\n<main id="content" tabindex="-1">…</main>',
  ],
  [
    'summary-name',
    'control',
    '<details><summary></summary>We ship on Mondays.</details>',
    '<details><summary>Shipping</summary>We ship on Mondays.</details>',
  ],
  [
    'svg-img-alt',
    'image',
    '<svg role="img"><path d="M0 0h9"/></svg>',
    '<svg role="img" aria-label="Sales by month"><path d="M0 0h9"/></svg>',
  ],
  ['tabindex', 'focus', '<button tabindex="5">Save</button>', '<button>Save</button>'],
  [
    'table-duplicate-name',
    'twice',
    '<table summary="Prices"><caption>Prices</caption><tr><td>5 €</td></tr></table>',
    '<table><caption>Prices</caption><tr><td>5 €</td></tr></table>',
  ],
  [
    'table-fake-caption',
    'tables',
    '<table><tr><td colspan="2">Prices</td></tr><tr><th>Shoes</th><th>Hats</th></tr><tr><td>50 €</td><td>20 €</td></tr></table>',
    '<table><caption>Prices</caption><tr><th>Shoes</th><th>Hats</th></tr><tr><td>50 €</td><td>20 €</td></tr></table>',
  ],
  [
    'target-size',
    'target',
    '<button style="width: 12px; height: 12px; padding: 0">×</button><button style="width: 12px; height: 12px; padding: 0">?</button>',
    '<button style="width: 24px; height: 24px">×</button><button style="width: 24px; height: 24px">?</button>',
  ],
  [
    'td-has-header',
    'tables',
    '<table>\n<tr><td>Shoes</td><td>Hats</td><td>Bags</td><td>Belts</td></tr>\n<tr><td>50</td><td>20</td><td>80</td><td>15</td></tr>\n<tr><td>45</td><td>18</td><td>70</td><td>12</td></tr>\n<tr><td>40</td><td>15</td><td>60</td><td>10</td></tr>\n</table>',
    '<table>\n<tr><th>Shoes</th><th>Hats</th><th>Bags</th><th>Belts</th></tr>\n<tr><td>50</td><td>20</td><td>80</td><td>15</td></tr>\n<tr><td>45</td><td>18</td><td>70</td><td>12</td></tr>\n<tr><td>40</td><td>15</td><td>60</td><td>10</td></tr>\n</table>',
  ],
  [
    'td-headers-attr',
    'tables',
    '<table><tr><th id="price">Price</th></tr><tr><td headers="cost">5 €</td></tr></table>',
    '<table><tr><th id="price">Price</th></tr><tr><td headers="price">5 €</td></tr></table>',
  ],
  [
    'th-has-data-cells',
    'tables',
    '<table><tr><th>Price</th></tr></table>',
    '<table><tr><th>Price</th></tr><tr><td>5 €</td></tr></table>',
  ],
  ['valid-lang', 'language', '<p lang="french">Bonjour</p>', '<p lang="fr">Bonjour</p>'],
  [
    'video-caption',
    'captions',
    '<video src="talk.mp4" controls></video>',
    '<video src="talk.mp4" controls><track kind="captions" src="talk.vtt"></video>',
  ],
] as const

export type AxeRuleId = (typeof axeRuleRows)[number][0]

/** A rule of axe-core: its importance, and code with and without its fault. */
export type AxeRule = { why: AxeImportance; wrong: string; right: string }

export const axeRules = Object.fromEntries(
  axeRuleRows.map(([ruleId, importance, wrongExample, rightExample]): [AxeRuleId, AxeRule] => [
    ruleId,
    { why: importance, wrong: wrongExample, right: rightExample },
  ]),
) as Record<AxeRuleId, AxeRule>

/** Texts of the rules in one language: title, fix, and importance. */
export type AxeTexts = {
  rules: Record<AxeRuleId, readonly [title: string, fix: string]>
  why: Record<AxeImportance, string>
}
