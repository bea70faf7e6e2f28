import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/**
 * Writes a site of twelve layouts with the styles and scripts of Bootstrap, to measure what driving the first page of each costs.
 *
 *   node scripts/node24.mjs bench/driven/write-layouts.ts --bootstrap /srv/bootstrap/dist --output /tmp/layouts
 */
const { values } = parseArgs({
  options: {
    /** Folder `dist` of the package `bootstrap`. */
    bootstrap: { type: 'string', default: 'bootstrap/dist' },
    output: { type: 'string', default: 'layouts' },
    /** Pages of each layout. */
    pages: { type: 'string', default: '42' },
  },
})

const words = 'The ferry to the island leaves pier three every morning and returns with the evening tide'.split(' ')
/** Text that differs in every page. */
const writeText = (seed: number, length: number): string =>
  Array.from({ length }, (_, index) => words[(seed * 7 + index * (1 + (seed % 5))) % words.length]).join(' ')
const repeat = (count: number, write: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => write(index)).join('\n')
const writeParagraphs = (seed: number, count: number) =>
  repeat(
    count,
    (index) => `<p>${writeText(seed + index, 60)} <a href="/article/${(seed + index) % 40}.html">${writeText(index, 3)}</a></p>`,
  )
const writeCards = (seed: number, count: number, extra = '') =>
  `<div class="row row-cols-1 row-cols-md-3 g-4">${repeat(
    count,
    (
      index,
    ) => `<div class="col"><div class="card h-100"><div class="card-body"><h3 class="card-title h5">${writeText(seed + index, 4)}</h3>
      <p class="card-text">${writeText(index, 24)}</p><a class="btn btn-primary" href="/article/${index}.html">${writeText(index, 2)}</a>${extra}</div></div></div>`,
  )}</div>`
const writeField = (label: string, type: string) =>
  `<div class="mb-3"><label class="form-label" for="${label}">${label}</label><input class="form-control" id="${label}" type="${type}"></div>`

/** Main part of each layout. The length of the text depends on the page. */
const layouts: Record<string, (seed: number) => string> = {
  home: (seed) =>
    `<div class="p-5 mb-4 bg-light rounded-3 d-flex"><h2>${writeText(seed, 6)}</h2></div>${writeCards(seed, 6 + (seed % 4))}`,
  article: (seed) => `<article>${writeParagraphs(seed, 6 + (seed % 20))}</article>`,
  chapter: (seed) =>
    `<div class="row"><nav class="col-md-3 sticky-top" aria-label="Chapters"><ul class="nav flex-column">${repeat(14, (index) => `<li class="nav-item"><a class="nav-link" href="/chapter/${index}.html">${writeText(index, 3)}</a></li>`)}</ul></nav><div class="col-md-9">${writeParagraphs(seed, 5 + (seed % 14))}</div></div>`,
  list: (seed) =>
    `<div class="list-group">${repeat(12 + (seed % 18), (index) => `<a class="list-group-item list-group-item-action" href="/article/${index}.html">${writeText(seed + index, 8)}</a>`)}</div>`,
  form: (seed) =>
    `<p>${writeText(seed, 30)}</p><form>${writeField('Name', 'text')}${writeField('Mail', 'email')}${writeField('Phone', 'tel')}<div class="form-check"><input class="form-check-input" type="checkbox" id="news"><label class="form-check-label" for="news">News</label></div><label for="note">Note</label><textarea class="form-control" id="note"></textarea><button class="btn btn-primary">Send</button></form>`,
  table: (seed) =>
    `<table class="table table-striped"><thead><tr>${repeat(4, (index) => `<th aria-sort="none"><button class="btn btn-link" type="button" onclick="this.closest('th').ariaSort='ascending'">${words[index]}</button></th>`)}</tr></thead><tbody>${repeat(10 + (seed % 30), (index) => `<tr>${repeat(4, (cell) => `<td>${writeText(seed + index + cell, 2)}</td>`)}</tr>`)}</tbody></table>`,
  dialog: (seed) =>
    `${writeParagraphs(seed, 3 + (seed % 8))}<button class="btn btn-primary" type="button" data-bs-toggle="modal" data-bs-target="#book">Book</button><div class="modal fade" id="book" tabindex="-1" role="dialog" aria-modal="true" aria-label="Book"><div class="modal-dialog"><div class="modal-content"><div class="modal-body">${writeField('Date', 'date')}<button class="btn-close" data-bs-dismiss="modal" type="button" aria-label="Close"></button></div></div></div></div>`,
  tabs: (seed) =>
    `<ul class="nav nav-tabs" role="tablist">${repeat(3, (index) => `<li class="nav-item" role="presentation"><button class="nav-link${index === 0 ? ' active' : ''}" data-bs-toggle="tab" data-bs-target="#tab${index}" type="button" role="tab" aria-selected="${index === 0}">${words[index + 1]}</button></li>`)}</ul><div class="tab-content">${repeat(3, (index) => `<div class="tab-pane${index === 0 ? ' active' : ''}" id="tab${index}" role="tabpanel">${writeParagraphs(seed + index, 2 + (seed % 6))}</div>`)}</div>`,
  accordion: (seed) =>
    `<div class="accordion" id="questions">${repeat(5 + (seed % 6), (index) => `<div class="accordion-item"><h2 class="accordion-header"><button class="accordion-button collapsed" type="button" data-bs-toggle="collapse" data-bs-target="#answer${index}" aria-expanded="false">${writeText(seed + index, 5)}</button></h2><div id="answer${index}" class="accordion-collapse collapse" data-bs-parent="#questions"><div class="accordion-body">${writeText(index, 50)}</div></div></div>`)}</div>`,
  player: (seed) => `<video controls width="480" height="270"></video>${writeParagraphs(seed, 2 + (seed % 6))}`,
  gallery: (seed) =>
    `<div class="gallery" style="display: grid; grid-template-columns: repeat(4, 1fr)">${repeat(8 + (seed % 12), (index) => `<a href="/article/${index}.html"><img class="img-fluid img-thumbnail" alt="${writeText(seed + index, 3)}" src="/pier.svg"></a>`)}</div>`,
  board: (seed) =>
    `<div class="row"><aside class="col-3 bg-dark text-white position-fixed"><ul class="nav nav-pills flex-column">${repeat(8, (index) => `<li class="nav-item"><a class="nav-link text-white" href="/board/${index}.html">${words[index]}</a></li>`)}</ul></aside><div class="col-9 offset-3">${writeCards(seed, 4, '<progress value="0.4" aria-label="Full"></progress>')}<label for="range">Range</label><input class="form-range" id="range" type="range"></div></div>`,
}

const names = Object.keys(layouts)
const writePage = (name: string, number: number): string => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${name} ${number}</title>
<link rel="stylesheet" href="/bootstrap.min.css"><script src="/bootstrap.bundle.min.js" defer></script></head><body>
<header><nav class="navbar navbar-expand-lg navbar-light bg-light"><div class="container"><a class="navbar-brand" href="/home/0.html">Harbor</a>
<button class="navbar-toggler" type="button" data-bs-toggle="collapse" data-bs-target="#menu" aria-controls="menu" aria-expanded="false" aria-label="Menu"><span class="navbar-toggler-icon"></span></button>
<div class="collapse navbar-collapse" id="menu"><ul class="navbar-nav">${repeat(names.length, (index) => `<li class="nav-item"><a class="nav-link" href="/${names[index]}/0.html">${names[index]}</a></li>`)}
<li class="nav-item dropdown"><a class="nav-link dropdown-toggle" href="#" role="button" data-bs-toggle="dropdown" aria-expanded="false">More</a><ul class="dropdown-menu">${repeat(4, (index) => `<li><a class="dropdown-item" href="/article/${index}.html">${words[index]}</a></li>`)}</ul></li></ul>
<form class="d-flex" role="search"><input class="form-control" type="search" aria-label="Search"><button class="btn btn-outline-success" type="submit">Search</button></form></div></div></nav></header>
<main class="container"><h1>${writeText(number, 5)}</h1>${layouts[name]!(number)}</main>
<footer class="container"><ul class="nav">${repeat(6, (index) => `<li class="nav-item"><a class="nav-link" href="/list/${index}.html">${words[index + 2]}</a></li>`)}</ul></footer></body></html>`

mkdirSync(values.output, { recursive: true })
copyFileSync(join(values.bootstrap, 'css/bootstrap.min.css'), join(values.output, 'bootstrap.min.css'))
copyFileSync(join(values.bootstrap, 'js/bootstrap.bundle.min.js'), join(values.output, 'bootstrap.bundle.min.js'))
writeFileSync(
  join(values.output, 'pier.svg'),
  '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200"><rect width="320" height="200" fill="#8ac"/></svg>',
)
for (const name of names) {
  mkdirSync(join(values.output, name), { recursive: true })
  for (let number = 0; number < Number(values.pages); number += 1)
    writeFileSync(join(values.output, name, `${number}.html`), writePage(name, number))
}
