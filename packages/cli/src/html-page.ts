import { createHash } from 'node:crypto'

/** Style of the report: light and dark, on screens from 320 pixels and on paper. */
const reportStyle = `
:root{color-scheme:light dark;--text:#1b1f24;--weak:#4b5563;--page:#fff;--panel:#f3f5f8;--line:#767f8c;--link:#0a4fb3;
--critical:#a30f1e;--serious:#9a3412;--moderate:#7a4b00;--minor:#0b5a6f;--review:#6b21a8}
@media(prefers-color-scheme:dark){:root{--text:#e8eaed;--weak:#b8bec7;--page:#14171b;--panel:#1f242b;--line:#8a93a0;--link:#8ab8ff;
--critical:#ff9a9a;--serious:#ffb38a;--moderate:#f2cc6b;--minor:#86d5e8;--review:#d6b3ff}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:64rem;padding:1rem;background:var(--page);color:var(--text);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
a{color:var(--link)}h1{line-height:1.2}h3{margin:0}
code{font:.875rem/1.5 ui-monospace,monospace;white-space:pre-wrap}
.weak{color:var(--weak)}
form{display:flex;flex-wrap:wrap;gap:.75rem 1.5rem;align-items:end;padding:1rem;background:var(--panel);border-radius:.5rem}
form label{display:inline-block}fieldset{border:0;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.25rem 1rem}legend{padding:0}
input[type=search],select{display:block;font:inherit;min-height:2.25rem;max-width:100%;padding:.25rem .5rem;background:var(--page);color:var(--text);border:1px solid var(--line);border-radius:.25rem}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.rule{margin:1rem 0;padding:1rem;background:var(--panel);border-radius:.5rem;border-inline-start:.375rem solid currentColor}
.rule>*{color:var(--text)}.rule .severity{color:inherit;font-weight:700}
.critical{color:var(--critical)}.serious{color:var(--serious)}.moderate{color:var(--moderate)}.minor{color:var(--minor)}.needs-review{color:var(--review)}
.elements{margin:.75rem 0 0;padding:0;list-style:none}.elements li{padding:.75rem 0;border-top:1px solid var(--line)}
.picture{position:relative;max-width:100%;margin:.5rem 0;overflow:hidden;border:1px solid var(--line);background-repeat:no-repeat;print-color-adjust:exact;-webkit-print-color-adjust:exact}
.picture i{position:absolute;outline:3px solid #d0021b;outline-offset:1px}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}th,td{padding:.375rem .75rem .375rem 0;text-align:start;vertical-align:top;border-bottom:1px solid var(--line)}th:not(:first-child),td:not(:first-child){overflow-wrap:normal}td.number,th.number{text-align:end}
[hidden]{display:none!important}
@media print{:root{--text:#000;--weak:#333;--page:#fff;--panel:#fff;--link:#000;--critical:#8a0010;--serious:#7a2a0c;--moderate:#5c3900;--minor:#06485a;--review:#4c1580}
form{display:none}.rule{border:1px solid #767f8c;border-inline-start-width:.375rem}.elements li,tr{break-inside:avoid}h2,h3{break-after:avoid}}
`

/** Filters rules and their elements by words, severity and rule. */
const reportScript = `
const form=document.querySelector('form')
if(form){
form.hidden=false
const rules=[...document.querySelectorAll('.rule')].map(node=>({node,severity:node.dataset.severity,rule:node.dataset.rule,head:node.querySelector('.head').textContent.toLowerCase(),items:[...node.querySelectorAll('.elements li')].map(item=>({item,text:item.textContent.toLowerCase()}))}))
const status=document.querySelector('[role=status]')
const plural=new Intl.PluralRules(document.documentElement.lang)
const filter=()=>{
const words=form.search.value.toLowerCase().split(/\\s+/).filter(Boolean)
const severities=new Set([...form.querySelectorAll('[name=severity]:checked')].map(box=>box.value))
let shownRules=0,shownItems=0
for(const {node,severity,rule,head,items} of rules){
let count=0
for(const {item,text} of items){const isShown=words.every(word=>head.includes(word)||text.includes(word));item.hidden=!isShown;if(isShown)count++}
const isShown=count>0&&severities.has(severity)&&(form.rule.value===''||form.rule.value===rule)
node.hidden=!isShown
const rest=node.querySelector('details')
if(rest&&words.length>0)rest.open=true
if(isShown){shownRules++;shownItems+=count}
}
const count=(name,number)=>(plural.select(number)==='one'&&form.dataset[name+'One']||form.dataset[name]).replace('#',number)
status.textContent=form.dataset.shown.replace('{rules}',count('rules',shownRules)).replace('{elements}',count('elements',shownItems))
}
form.addEventListener('input',filter)
form.addEventListener('submit',event=>event.preventDefault())
form.addEventListener('reset',()=>setTimeout(filter))
filter()
}
addEventListener('beforeprint',()=>{for(const details of document.querySelectorAll('details'))details.open=true})
`

const scriptHash = createHash('sha256').update(reportScript).digest('base64')
/** Nothing is loaded, and no script runs except that of the report: its texts come from scanned pages. */
const contentPolicy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-${scriptHash}'; base-uri 'none'; form-action 'none'`

/** Builds the document of a report from its language, its title, the rules of its pictures, and its content. */
export const buildHtmlPage = (language: string, title: string, pictureStyle: string, body: string): string =>
  `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy}">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${reportStyle}${pictureStyle}</style>
</head>
<body>
${body}
<script>${reportScript}</script>
</body>
</html>
`
