import { escapeXml } from '@clearway/contract/kit/xml.ts'
import { formatSelector } from '@clearway/contract/monitor/issue/model.ts'
import type { Picture } from '@clearway/engine/outcome.ts'
import type { FormatContext } from './format-context.ts'
import { buildHtmlPage } from './html-page.ts'
import { type CountText, fillLabel, formatCount, type ReportLabels } from './label/model.ts'
import { listNotices, removeControlCharacters } from './notice.ts'
import { countBySeverity, groupByRule, type PageIssue, type RuleGroup } from './rule-group.ts'
import { describeRule } from './rule-text.ts'
import type { Report, ReportPage } from './schema.ts'
import { describeIssues, describeResult, describeScore } from './text-format.ts'

const maxPicturesPerRule = 5
const maxPictureBytes = 20_000_000
/** Elements of a rule before the rest is only counted. */
const maxElements = 500
/** Elements of a rule that are open. */
const maxOpenElements = 10
const maxTextLength = 2000
const pictureMargin = 40
const [maxPictureWidth, maxPictureHeight] = [640, 320]

/** Text of a page, which cannot be markup. */
const toHtml = (text: string): string => escapeXml(removeControlCharacters(text.slice(0, maxTextLength).toWellFormed()))

/** Link to a page; text for files and other addresses. */
const toLink = (url: string): string =>
  /^https?:\/\//.test(url) ? `<a href="${toHtml(url)}" rel="noreferrer">${toHtml(url)}</a>` : `<span>${toHtml(url)}</span>`

/** Screenshots of a report: each is in the style once, however many elements it shows. */
type Album = { classNames: Map<Uint8Array, string>; bytes: number; style: string[] }

/** Returns the class of a screenshot; null if the report has enough. */
function addToAlbum(album: Album, { image, mimeType }: Picture): string | null {
  const className = album.classNames.get(image)
  if (className !== undefined) return className
  if (album.bytes + image.byteLength > maxPictureBytes) return null
  const addedName = `picture-${album.classNames.size}`
  album.classNames.set(image, addedName)
  album.bytes += image.byteLength
  album.style.push(`.${addedName}{background-image:url(data:${mimeType};base64,${Buffer.from(image).toString('base64')})}`)
  return addedName
}

/** The part of a screenshot around an element, which is outlined. */
function formatPicture(picture: Picture, album: Album, labels: ReportLabels): string {
  const className = addToAlbum(album, picture)
  if (className === null) return ''
  const { x, y, width, height } = picture.box
  const cropLeft = Math.max(0, x - pictureMargin)
  const cropTop = Math.max(0, y - pictureMargin)
  const [shownWidth, shownHeight] = [
    Math.min(maxPictureWidth, x - cropLeft + width + pictureMargin),
    Math.min(maxPictureHeight, y - cropTop + height + pictureMargin),
  ]
  const toStyle = (values: Record<string, number>) =>
    Object.entries(values)
      .map(([property, value]) => `${property}:${Math.round(value)}px`)
      .join(';')
  const frame = `${toStyle({ width: shownWidth, height: shownHeight })};background-position:${Math.round(-cropLeft)}px ${Math.round(-cropTop)}px`
  const outline = toStyle({ left: x - cropLeft, top: y - cropTop, width, height })
  return `<div class="picture ${className}" role="img" aria-label="${labels.screenshot}" style="${frame}"><i style="${outline}"></i></div>`
}

function formatElement(
  { url, issue }: PageIssue,
  { picture, album, labels }: { picture: Picture | undefined; album: Album; labels: ReportLabels },
): string {
  return [
    `<li><div>${toLink(url)}</div>`,
    `<div><code>${toHtml(formatSelector(issue.target))}</code></div>`,
    issue.states.length > 0
      ? `<div class="weak">${fillLabel(labels.seenIn, { states: toHtml(issue.states.join(', ')) })}</div>`
      : '',
    picture ? formatPicture(picture, album, labels) : '',
    `<div><code>${toHtml(issue.html)}</code></div></li>`,
  ].join('')
}

function formatElements({ issues }: RuleGroup, { pictures, texts: { labels } }: FormatContext, album: Album): string {
  const items = issues.slice(0, maxElements).map((pageIssue, index) =>
    formatElement(pageIssue, {
      picture: index < maxPicturesPerRule ? pictures.get(pageIssue.issue) : undefined,
      album,
      labels,
    }),
  )
  const openList = `<ul class="elements">${items.slice(0, maxOpenElements).join('\n')}</ul>`
  if (items.length <= maxOpenElements) return openList
  const omission =
    issues.length > maxElements ? `<p>${fillLabel(labels.omitted, { listed: maxElements, all: issues.length })}</p>` : ''
  return `${openList}<details><summary>${formatCount(labels, labels.moreElements, items.length - maxOpenElements)}</summary><ul class="elements">${items.slice(maxOpenElements).join('\n')}</ul>${omission}</details>`
}

function formatRule(group: RuleGroup, context: FormatContext, album: Album): string {
  const { first, issues, pageCount, rule, severity } = group
  const { title, why, fixes, isOwn } = describeRule(first.issue, context.texts)
  const { labels } = context.texts
  // Messages of axe-core are English.
  const language = isOwn ? '' : ' lang="en"'
  const where = fillLabel(labels.where, {
    elements: formatCount(labels, labels.elements, issues.length),
    pages: formatCount(labels, labels.pages, pageCount),
  })
  const help = /^https?:/.test(first.issue.helpUrl)
    ? `<p><a href="${toHtml(first.issue.helpUrl)}" rel="noreferrer">${fillLabel(labels.moreAbout, { rule: toHtml(rule) })}</a></p>`
    : ''
  return [
    `<article class="rule ${severity.replace(' ', '-')}" data-severity="${severity}" data-rule="${toHtml(rule)}">`,
    `<div class="head"><h3${language}>${toHtml(title)}</h3>`,
    `<p class="${severity.replace(' ', '-')}"><span class="severity">${labels.severities[severity]}</span> <span class="weak">${toHtml(rule)}, ${where}</span></p>`,
    why === null ? '' : `<p${language}>${toHtml(why)}</p>`,
    ...fixes.map((fix) => `<p${language}>${isOwn ? `<strong>${labels.fix}</strong> ` : ''}${toHtml(fix)}</p>`),
    `${help}</div>`,
    formatElements(group, context, album),
    '</article>',
  ].join('\n')
}

/** Forms of a number, for the script of the report. */
const toCountData = (name: string, { one, other }: CountText): string =>
  `data-${name}="${other}"${one === undefined ? '' : ` data-${name}-one="${one}"`}`

/** Without scripts, the form stays hidden. */
function formatFilter(groups: readonly RuleGroup[], labels: ReportLabels): string {
  const { headings } = labels
  const severities = countBySeverity(groups).map(
    ({ severity }) =>
      `<label><input type="checkbox" name="severity" value="${severity}" checked> <span class="${severity.replace(' ', '-')}">${labels.severities[severity]}</span></label>`,
  )
  const rules = [...new Set(groups.map(({ rule }) => rule))].sort().map((rule) => `<option>${toHtml(rule)}</option>`)
  return [
    `<form hidden aria-label="${headings.filter}" ${toCountData('rules', labels.rules)} ${toCountData('elements', labels.elements)} data-shown="${labels.shown}">`,
    `<label>${headings.search} <input type="search" name="search" autocomplete="off"></label>`,
    `<fieldset><legend>${headings.impact}</legend>${severities.join('')}</fieldset>`,
    `<label>${headings.rule} <select name="rule"><option value="">${headings.allRules}</option>${rules.join('')}</select></label>`,
    '</form><p role="status"></p>',
  ].join('\n')
}

function formatPageRow(page: ReportPage, labels: ReportLabels): string {
  const result = page.failure
    ? `${page.status}: ${page.failure.reason}`
    : page.health === null
      ? labels.notSeen
      : page.health === 'good'
        ? page.health
        : labels.severities[page.health]
  const details = page.failure ? [page.failure.detail] : listNotices(page, labels)
  return `<tr><th scope="row">${toLink(page.url)}</th><td>${toHtml(result)}${details.map((detail) => `<br><span class="weak">${toHtml(detail)}</span>`).join('')}</td><td class="number">${page.issues.length}</td></tr>`
}

/** Formats a report as one file for browsers: it loads nothing, and works from a disk. */
export function formatHtml(report: Report, context: FormatContext): string {
  const { labels, language } = context.texts
  const { headings } = labels
  const groups = groupByRule(report.pages)
  const album: Album = { classNames: new Map(), bytes: 0, style: [] }
  const hosts = [...new Set(report.pages.map(({ url }) => URL.parse(url)?.host || url))].slice(0, 3)
  const title = fillLabel(context.summary === undefined ? labels.accessibilityOf : labels.newIssuesOf, {
    hosts: hosts.map(toHtml).join(', '),
  })
  const summary =
    context.summary === undefined
      ? `<strong>${describeScore(report, labels)}</strong>${describeResult(report, labels)} ${describeIssues(report, groups, labels)}`
      : context.summary
  const unchecked = report.unchecked.map(
    ({ target, reason, detail }) => `<li>${toLink(target)}: ${toHtml(reason)} ${toHtml(detail)}</li>`,
  )
  const { standard, bestPractices } = report.ruleSet
  const body = [
    `<main><h1>${title}</h1><p>${summary}</p>`,
    `<p class="weak"><time datetime="${report.startedAt}">${report.startedAt.slice(0, 16).replace('T', ' ')} UTC</time>, axe-core ${report.axe}, ${bestPractices ? fillLabel(labels.bestPractices, { standard }) : standard}, Clearway ${report.clearway}</p>`,
    unchecked.length > 0 ? `<h2>${labels.notChecked}</h2><ul>${unchecked.join('')}</ul>` : '',
    `<h2>${headings.issues}</h2>`,
    ...(groups.length > 0
      ? [formatFilter(groups, labels), ...groups.map((group) => formatRule(group, context, album))]
      : [`<p>${labels.none}</p>`]),
    `<h2>${headings.pages}</h2><div class="scroll" role="region" aria-label="${headings.pages}" tabindex="0"><table><thead><tr><th scope="col">${headings.page}</th><th scope="col">${headings.result}</th><th scope="col" class="number">${headings.issues}</th></tr></thead>`,
    `<tbody>${report.pages.map((page) => formatPageRow(page, labels)).join('\n')}</tbody></table></div></main>`,
  ].join('\n')
  return buildHtmlPage(language, title, album.style.join('\n'), body)
}
