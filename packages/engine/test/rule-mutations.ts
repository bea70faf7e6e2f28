import { html } from './harness.ts'

/** A page with something for each rule of axe, and what is changed of it so that the rule may say something else. */
export const rulePage = html(
  'Rules',
  `<style>p { font-size: 16px } #wide { width: 100px }</style><header id="head"><a id="skip" href="#end">Skip</a></header>
  <nav aria-label="n"><a id="a1" href="/x">One</a> <a id="a2" href="/y">Two</a></nav><aside id="side">Side</aside>
  <h2 id="h2">Heading</h2><h3 id="h3">Deeper</h3><img id="img" alt="Picture" src="data:,"><map name="m"><area id="area" alt="Area" href="/z"></map>
  <button id="button" accesskey="b">Press</button><input id="text" aria-label="Text" autocomplete="name"><label id="label" for="named">Name</label>
  <input id="named"><input id="submit" type="submit" value="Send"><input id="picture" type="image" alt="Go" src="data:,">
  <select id="select" aria-label="Choose"><option>1</option><option>2</option></select><p id="p">Words <b>bold</b> <a id="inline" href="/w">link</a></p>
  <div id="role" role="checkbox" aria-checked="false" tabindex="0" aria-label="Check"></div><div id="dialog" role="dialog" aria-label="Dialog"></div>
  <div id="meter" role="meter" aria-label="Meter" aria-valuenow="1"></div><div id="bar" role="progressbar" aria-label="Bar"></div>
  <div role="tablist"><span id="tab" role="tab">Tab</span></div><div id="tip" role="tooltip">Tip</div><div role="tree"><span id="item" role="treeitem">Item</span></div>
  <ul id="list"><li id="li">One</li></ul><dl id="dl"><dt id="dt">T</dt><dd>D</dd></dl><table id="table" summary=""><caption id="caption">Figures</caption>
  <tr><th id="th" scope="col">H</th></tr><tr><td id="td" headers="th">1</td></tr></table><video id="video"></video><audio id="audio"></audio>
  <object id="object" aria-label="Object"></object><svg id="svg" role="img" aria-label="Drawing"></svg><iframe id="frame" title="Frame" srcdoc="<p>In</p>"></iframe>
  <details><summary id="summary">More</summary>Text</details><div id="wide"><span>scrolled</span></div><div id="hidden" hidden>Hidden</div><span id="lang" lang="de">Wort</span>
  <footer id="end">End</footer>`,
).replace('<title>', '<meta id="viewport" name="viewport" content="width=device-width"><title>')

const set = (id: string, name: string, value: string) =>
  `document.getElementById('${id}').setAttribute('${name}', '${value}')`
const drop = (id: string, name: string) => `document.getElementById('${id}').removeAttribute('${name}')`
const add = (markup: string) => `document.body.insertAdjacentHTML('beforeend', '${markup}')`
const rule = (css: string) => `document.styleSheets[0].insertRule('${css}')`
const root = (name: string, value: string) => `document.documentElement.setAttribute('${name}', '${value}')`
const text = (id: string, value: string) => `document.getElementById('${id}').firstChild.data = '${value}'`

/** One change for each rule, of what the rule looks at. */
export const ruleMutations: Readonly<Record<string, string>> = {
  accesskeys: set('a1', 'accesskey', 'b'),
  'area-alt': drop('area', 'alt'),
  'aria-allowed-attr': set('li', 'aria-checked', 'true'),
  'aria-allowed-role': set('h2', 'role', 'button'),
  'aria-braille-equivalent': set('img', 'aria-braillelabel', 'x'),
  'aria-command-name': add('<i role="button" tabindex="0"></i>'),
  'aria-conditional-attr': set('named', 'aria-checked', 'true'),
  'aria-deprecated-role': set('li', 'role', 'directory'),
  'aria-dialog-name': drop('dialog', 'aria-label'),
  'aria-hidden-body': `document.body.setAttribute('aria-hidden', 'true')`,
  'aria-hidden-focus': set('p', 'aria-hidden', 'true'),
  'aria-input-field-name': add('<i role="textbox"></i>'),
  'aria-meter-name': drop('meter', 'aria-label'),
  'aria-progressbar-name': drop('bar', 'aria-label'),
  'aria-prohibited-attr': set('p', 'aria-label', 'x'),
  'aria-required-attr': drop('role', 'aria-checked'),
  'aria-required-children': set('list', 'role', 'list'),
  'aria-required-parent': set('p', 'role', 'option'),
  'aria-roledescription': set('p', 'aria-roledescription', 'x'),
  'aria-roles': set('p', 'role', 'nothing'),
  'aria-tab-name': text('tab', ''),
  'aria-text': set('p', 'role', 'text'),
  'aria-toggle-field-name': drop('role', 'aria-label'),
  'aria-tooltip-name': text('tip', ''),
  'aria-treeitem-name': text('item', ''),
  'aria-valid-attr-value': set('role', 'aria-checked', 'perhaps'),
  'aria-valid-attr': set('p', 'aria-nothing', 'x'),
  'audio-caption': set('audio', 'src', 'data:audio/wav,'),
  'autocomplete-valid': set('text', 'autocomplete', 'nothing'),
  'avoid-inline-spacing': `document.getElementById('p').style.setProperty('line-height', '1', 'important')`,
  blink: add('<blink>x</blink>'),
  'button-name': text('button', ''),
  bypass: `document.getElementById('skip').remove()`,
  'color-contrast-enhanced': rule('p { color: rgb(100, 100, 100) }'),
  'color-contrast': rule('p { color: rgb(200, 200, 200) }'),
  'css-orientation-lock': rule('@media (orientation: portrait) { html { transform: rotate(90deg) } }'),
  'definition-list': set('dl', 'role', 'list'),
  dlitem: `document.getElementById('dt').replaceWith(document.createElement('dt'))`,
  'document-title': `document.title = ''`,
  'duplicate-id-active': set('a2', 'id', 'a1'),
  'duplicate-id-aria': set('h3', 'id', 'h2'),
  'duplicate-id': set('li', 'id', 'p'),
  'empty-heading': text('h2', ''),
  'empty-table-header': text('th', ''),
  'focus-order-semantics': set('p', 'tabindex', '0'),
  'form-field-multiple-labels': add('<label for="named">Again</label>'),
  'frame-focusable-content': set('frame', 'tabindex', '-1'),
  'frame-tested': add('<iframe title="g"></iframe>'),
  'frame-title-unique': add('<iframe title="Frame"></iframe>'),
  'frame-title': drop('frame', 'title'),
  'heading-order': set('h3', 'aria-level', '6'),
  'hidden-content': drop('hidden', 'hidden'),
  'html-has-lang': root('lang', ''),
  'html-lang-valid': root('lang', 'xx-nothing'),
  'html-xml-lang-mismatch': root('xml:lang', 'fr'),
  'identical-links-same-purpose': text('a2', 'One'),
  'image-alt': drop('img', 'alt'),
  'image-redundant-alt': set('img', 'alt', 'One'),
  'input-button-name': set('submit', 'value', ''),
  'input-image-alt': drop('picture', 'alt'),
  'label-content-name-mismatch': set('button', 'aria-label', 'Other'),
  'label-title-only': set('text', 'title', 'Text'),
  label: drop('text', 'aria-label'),
  'landmark-banner-is-top-level': set('head', 'role', 'banner'),
  'landmark-complementary-is-top-level': set('side', 'role', 'complementary'),
  'landmark-contentinfo-is-top-level': set('end', 'role', 'contentinfo'),
  'landmark-main-is-top-level': set('side', 'role', 'main'),
  'landmark-no-duplicate-banner': add('<header>x</header>'),
  'landmark-no-duplicate-contentinfo': add('<footer>x</footer>'),
  'landmark-no-duplicate-main': add('<main>x</main>'),
  'landmark-one-main': `document.querySelector('main').setAttribute('role', 'none')`,
  'landmark-unique': add('<nav aria-label="n">x</nav>'),
  'link-in-text-block': rule('#inline { text-decoration: none }'),
  'link-name': text('a1', ''),
  list: add('<ul><p>x</p></ul>'),
  listitem: add('<li>x</li>'),
  marquee: add('<marquee>x</marquee>'),
  'meta-refresh-no-exceptions': `document.head.insertAdjacentHTML('beforeend', '<meta http-equiv="refresh" content="90000">')`,
  'meta-refresh': `document.head.insertAdjacentHTML('beforeend', '<meta http-equiv="refresh" content="9000">')`,
  'meta-viewport-large': set('viewport', 'content', 'width=device-width, maximum-scale=3'),
  'meta-viewport': set('viewport', 'content', 'width=device-width, user-scalable=no'),
  'nested-interactive': `document.getElementById('role').insertAdjacentHTML('beforeend', '<button>x</button>')`,
  'no-autoplay-audio': set('audio', 'autoplay', ''),
  'object-alt': drop('object', 'aria-label'),
  'p-as-heading': rule('#p { font-weight: bold }'),
  'page-has-heading-one': `document.querySelector('h1').remove()`,
  'presentation-role-conflict': set('img', 'role', 'none'),
  region: `document.body.append('outside')`,
  'role-img-alt': drop('svg', 'aria-label'),
  'scope-attr-valid': set('th', 'scope', 'nothing'),
  'scrollable-region-focusable': rule('#wide { height: 5px; overflow: scroll }'),
  'select-name': drop('select', 'aria-label'),
  'server-side-image-map': set('img', 'ismap', ''),
  'skip-link': set('skip', 'href', '#nowhere'),
  'summary-name': text('summary', ''),
  'svg-img-alt': set('svg', 'aria-label', ''),
  tabindex: set('p', 'tabindex', '5'),
  'table-duplicate-name': set('table', 'summary', 'Figures'),
  'table-fake-caption': `document.getElementById('caption').remove()`,
  'target-size': rule('#a1 { display: inline-block; height: 3px }'),
  'td-has-header': drop('td', 'headers'),
  'td-headers-attr': set('td', 'headers', 'nothing'),
  'th-has-data-cells': `document.getElementById('td').remove()`,
  'valid-lang': set('lang', 'lang', 'nothing'),
  'video-caption': set('video', 'src', 'data:video/mp4,'),
}
