import { createHash } from 'node:crypto'
import { escapeHtml } from './html.ts'

type Schema = {
  $ref?: string
  type?: string
  items?: Schema
  enum?: unknown[]
  anyOf?: Schema[]
  format?: string
  const?: string | number | boolean | null
}
type Operation = {
  operationId: string
  tags: string[]
  summary: string
  'x-permission': string
  parameters: { name: string; in: string; required: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>
}
type Definition = { properties?: Record<string, Schema>; required?: string[] } & Schema

const style = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
a { color: LinkText; } a:focus-visible { outline: 3px solid; outline-offset: 2px; }
h2 { margin-top: 3rem; } article { border-top: 1px solid; padding: .5rem 0 1rem; }
code { font-size: .95em; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; } caption { text-align: left; font-weight: bold; padding-top: .5rem; }
nav ul { columns: 20rem; padding-left: 1.25rem; }`

/** A schema in a word or two; named ones link to their table. */
function typeOf(schema: Schema): string {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1)!
    return `<a href="#${escapeHtml(name)}">${escapeHtml(name)}</a>`
  }
  if (schema.enum) return schema.enum.map((v) => `<code>${escapeHtml(String(v))}</code>`).join(', ')
  if (schema.const !== undefined) return `<code>${escapeHtml(String(schema.const))}</code>`
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ')
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`
  return escapeHtml(
    [schema.type ?? 'anything', schema.format && `(${schema.format})`].filter(Boolean).join(' '),
  )
}

const table = (caption: string, head: string[], rows: string[][]): string =>
  rows.length === 0
    ? ''
    : `<table><caption>${caption}</caption><thead><tr>${head.map((h) => `<th scope="col">${h}</th>`).join('')}</tr></thead>
<tbody>${rows.map(([first, ...rest]) => `<tr><th scope="row">${first}</th>${rest.map((c) => `<td>${c}</td>`).join('')}</tr>`).join('\n')}</tbody></table>`

function operation(method: string, path: string, o: Operation): string {
  const parameters = o.parameters.map((p) => [`<code>${escapeHtml(p.name)}</code>`, p.in, typeOf(p.schema)])
  const body = Object.values(o.requestBody?.content ?? {})[0]
  const answers = Object.entries(o.responses).map(([status, r]) => {
    const content = Object.values(r.content ?? {})[0]
    return [status, escapeHtml(r.description.replaceAll('`', '')), content ? typeOf(content.schema) : '']
  })
  return `<article id="${o.operationId}"><h3><code>${method.toUpperCase()} ${escapeHtml(path)}</code></h3>
<p>${escapeHtml(o.summary)}. Permission: <code>${escapeHtml(o['x-permission'])}</code>.</p>
${table('Parameters', ['Name', 'In', 'Type'], parameters)}
${body ? `<p>Body: ${typeOf(body.schema)}</p>` : ''}
${table('Answers', ['Status', 'Meaning', 'Type'], answers)}</article>`
}

function definition(name: string, d: Definition): string {
  const required = new Set(d.required)
  const rows = Object.entries(d.properties ?? {}).map(([field, s]) => [
    `<code>${escapeHtml(field)}</code>`,
    typeOf(s),
    required.has(field) ? 'yes' : 'no',
  ])
  return `<article id="${name}"><h3>${name}</h3>${table('Fields', ['Name', 'Type', 'Always there'], rows) || `<p>${typeOf(d)}</p>`}</article>`
}

/**
 * The API for people to read, one page without scripts, and the content security policy that fits it.
 * @param described the OpenAPI document
 */
export function apiDocsPage(described: object): { html: string; policy: string } {
  const document = described as {
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, Definition> }
  }
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, o]) => ({ method, path, o })),
  )
  const index = operations.map(
    ({ method, path, o }) =>
      `<li><a href="#${o.operationId}">${method.toUpperCase()} ${escapeHtml(path)}</a></li>`,
  )
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>API</title><style>${style}</style></head>
<body><header><h1>API</h1>
<p>Every call, generated from the contract. For programs: <a href="openapi.json">openapi.json</a>. Calls carry a bearer token; errors are RFC 9457 problems.</p></header>
<nav aria-label="Calls"><ul>${index.join('')}</ul></nav>
<main><h2>Calls</h2>${operations.map(({ method, path, o }) => operation(method, path, o)).join('\n')}
<h2>Types</h2>${Object.entries(document.components.schemas)
    .map(([name, d]) => definition(name, d))
    .join('\n')}</main></body></html>`
  const hash = createHash('sha256').update(style).digest('base64')
  return {
    html,
    policy: `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'; base-uri 'none'`,
  }
}
