import { html } from './harness.ts'

/** A page with an element for each axe rule, and a mutation for each rule that could change its result. */
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

const buildSetAttribute = (id: string, name: string, value: string) =>
  `document.getElementById('${id}').setAttribute('${name}', '${value}')`
const buildRemoveAttribute = (id: string, name: string) => `document.getElementById('${id}').removeAttribute('${name}')`
const buildAppend = (markup: string) => `document.body.insertAdjacentHTML('beforeend', '${markup}')`
const buildInsertRule = (css: string) => `document.styleSheets[0].insertRule('${css}')`
const buildSetRootAttribute = (name: string, value: string) => `document.documentElement.setAttribute('${name}', '${value}')`
const buildSetText = (id: string, value: string) => `document.getElementById('${id}').firstChild.data = '${value}'`

/** One mutation per rule, of an element that the rule checks. */
export const ruleMutations: Readonly<Record<string, string>> = {
  accesskeys: buildSetAttribute('a1', 'accesskey', 'b'),
  'area-alt': buildRemoveAttribute('area', 'alt'),
  'aria-allowed-attr': buildSetAttribute('li', 'aria-checked', 'true'),
  'aria-allowed-role': buildSetAttribute('h2', 'role', 'button'),
  'aria-braille-equivalent': buildSetAttribute('img', 'aria-braillelabel', 'x'),
  'aria-command-name': buildAppend('<i role="button" tabindex="0"></i>'),
  'aria-conditional-attr': buildSetAttribute('named', 'aria-checked', 'true'),
  'aria-deprecated-role': buildSetAttribute('li', 'role', 'directory'),
  'aria-dialog-name': buildRemoveAttribute('dialog', 'aria-label'),
  'aria-hidden-body': `document.body.setAttribute('aria-hidden', 'true')`,
  'aria-hidden-focus': buildSetAttribute('p', 'aria-hidden', 'true'),
  'aria-input-field-name': buildAppend('<i role="textbox"></i>'),
  'aria-meter-name': buildRemoveAttribute('meter', 'aria-label'),
  'aria-progressbar-name': buildRemoveAttribute('bar', 'aria-label'),
  'aria-prohibited-attr': buildSetAttribute('p', 'aria-label', 'x'),
  'aria-required-attr': buildRemoveAttribute('role', 'aria-checked'),
  'aria-required-children': buildSetAttribute('list', 'role', 'list'),
  'aria-required-parent': buildSetAttribute('p', 'role', 'option'),
  'aria-roledescription': buildSetAttribute('p', 'aria-roledescription', 'x'),
  'aria-roles': buildSetAttribute('p', 'role', 'nothing'),
  'aria-tab-name': buildSetText('tab', ''),
  'aria-text': buildSetAttribute('p', 'role', 'text'),
  'aria-toggle-field-name': buildRemoveAttribute('role', 'aria-label'),
  'aria-tooltip-name': buildSetText('tip', ''),
  'aria-treeitem-name': buildSetText('item', ''),
  'aria-valid-attr-value': buildSetAttribute('role', 'aria-checked', 'perhaps'),
  'aria-valid-attr': buildSetAttribute('p', 'aria-nothing', 'x'),
  'audio-caption': buildSetAttribute('audio', 'src', 'data:audio/wav,'),
  'autocomplete-valid': buildSetAttribute('text', 'autocomplete', 'nothing'),
  'avoid-inline-spacing': `document.getElementById('p').style.setProperty('line-height', '1', 'important')`,
  blink: buildAppend('<blink>x</blink>'),
  'button-name': buildSetText('button', ''),
  bypass: `document.getElementById('skip').remove()`,
  'color-contrast-enhanced': buildInsertRule('p { color: rgb(100, 100, 100) }'),
  'color-contrast': buildInsertRule('p { color: rgb(200, 200, 200) }'),
  'css-orientation-lock': buildInsertRule('@media (orientation: portrait) { html { transform: rotate(90deg) } }'),
  'definition-list': buildSetAttribute('dl', 'role', 'list'),
  dlitem: `document.getElementById('dt').replaceWith(document.createElement('dt'))`,
  'document-title': `document.title = ''`,
  'duplicate-id-active': buildSetAttribute('a2', 'id', 'a1'),
  'duplicate-id-aria': buildSetAttribute('h3', 'id', 'h2'),
  'duplicate-id': buildSetAttribute('li', 'id', 'p'),
  'empty-heading': buildSetText('h2', ''),
  'empty-table-header': buildSetText('th', ''),
  'focus-order-semantics': buildSetAttribute('p', 'tabindex', '0'),
  'form-field-multiple-labels': buildAppend('<label for="named">Again</label>'),
  'frame-focusable-content': buildSetAttribute('frame', 'tabindex', '-1'),
  'frame-tested': buildAppend('<iframe title="g"></iframe>'),
  'frame-title-unique': buildAppend('<iframe title="Frame"></iframe>'),
  'frame-title': buildRemoveAttribute('frame', 'title'),
  'heading-order': buildSetAttribute('h3', 'aria-level', '6'),
  'hidden-content': buildRemoveAttribute('hidden', 'hidden'),
  'html-has-lang': buildSetRootAttribute('lang', ''),
  'html-lang-valid': buildSetRootAttribute('lang', 'xx-nothing'),
  'html-xml-lang-mismatch': buildSetRootAttribute('xml:lang', 'fr'),
  'identical-links-same-purpose': buildSetText('a2', 'One'),
  'image-alt': buildRemoveAttribute('img', 'alt'),
  'image-redundant-alt': buildSetAttribute('img', 'alt', 'One'),
  'input-button-name': buildSetAttribute('submit', 'value', ''),
  'input-image-alt': buildRemoveAttribute('picture', 'alt'),
  'label-content-name-mismatch': buildSetAttribute('button', 'aria-label', 'Other'),
  'label-title-only': buildSetAttribute('text', 'title', 'Text'),
  label: buildRemoveAttribute('text', 'aria-label'),
  'landmark-banner-is-top-level': buildSetAttribute('head', 'role', 'banner'),
  'landmark-complementary-is-top-level': buildSetAttribute('side', 'role', 'complementary'),
  'landmark-contentinfo-is-top-level': buildSetAttribute('end', 'role', 'contentinfo'),
  'landmark-main-is-top-level': buildSetAttribute('side', 'role', 'main'),
  'landmark-no-duplicate-banner': buildAppend('<header>x</header>'),
  'landmark-no-duplicate-contentinfo': buildAppend('<footer>x</footer>'),
  'landmark-no-duplicate-main': buildAppend('<main>x</main>'),
  'landmark-one-main': `document.querySelector('main').setAttribute('role', 'none')`,
  'landmark-unique': buildAppend('<nav aria-label="n">x</nav>'),
  'link-in-text-block': buildInsertRule('#inline { text-decoration: none }'),
  'link-name': buildSetText('a1', ''),
  list: buildAppend('<ul><p>x</p></ul>'),
  listitem: buildAppend('<li>x</li>'),
  marquee: buildAppend('<marquee>x</marquee>'),
  'meta-refresh-no-exceptions': `document.head.insertAdjacentHTML('beforeend', '<meta http-equiv="refresh" content="90000">')`,
  'meta-refresh': `document.head.insertAdjacentHTML('beforeend', '<meta http-equiv="refresh" content="9000">')`,
  'meta-viewport-large': buildSetAttribute('viewport', 'content', 'width=device-width, maximum-scale=3'),
  'meta-viewport': buildSetAttribute('viewport', 'content', 'width=device-width, user-scalable=no'),
  'nested-interactive': `document.getElementById('role').insertAdjacentHTML('beforeend', '<button>x</button>')`,
  'no-autoplay-audio': buildSetAttribute('audio', 'autoplay', ''),
  'object-alt': buildRemoveAttribute('object', 'aria-label'),
  'p-as-heading': buildInsertRule('#p { font-weight: bold }'),
  'page-has-heading-one': `document.querySelector('h1').remove()`,
  'presentation-role-conflict': buildSetAttribute('img', 'role', 'none'),
  region: `document.body.append('outside')`,
  'role-img-alt': buildRemoveAttribute('svg', 'aria-label'),
  'scope-attr-valid': buildSetAttribute('th', 'scope', 'nothing'),
  'scrollable-region-focusable': buildInsertRule('#wide { height: 5px; overflow: scroll }'),
  'select-name': buildRemoveAttribute('select', 'aria-label'),
  'server-side-image-map': buildSetAttribute('img', 'ismap', ''),
  'skip-link': buildSetAttribute('skip', 'href', '#nowhere'),
  'summary-name': buildSetText('summary', ''),
  'svg-img-alt': buildSetAttribute('svg', 'aria-label', ''),
  tabindex: buildSetAttribute('p', 'tabindex', '5'),
  'table-duplicate-name': buildSetAttribute('table', 'summary', 'Figures'),
  'table-fake-caption': `document.getElementById('caption').remove()`,
  'target-size': buildInsertRule('#a1 { display: inline-block; height: 3px }'),
  'td-has-header': buildRemoveAttribute('td', 'headers'),
  'td-headers-attr': buildSetAttribute('td', 'headers', 'nothing'),
  'th-has-data-cells': `document.getElementById('td').remove()`,
  'valid-lang': buildSetAttribute('lang', 'lang', 'nothing'),
  'video-caption': buildSetAttribute('video', 'src', 'data:video/mp4,'),
}
