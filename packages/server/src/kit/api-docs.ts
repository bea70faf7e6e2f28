import { createHash } from 'node:crypto'
import { escapeHtml } from './html.ts'

type JsonSchema = {
  $ref?: string
  type?: string
  items?: JsonSchema
  enum?: unknown[]
  anyOf?: JsonSchema[]
  format?: string
  const?: string | number | boolean | null
  description?: string
}
type OpenApiOperation = {
  operationId: string
  tags: string[]
  summary: string
  'x-permission': string
  parameters: {
    name: string
    in: string
    required: boolean
    description?: string
    schema: JsonSchema
  }[]
  requestBody?: { content: Record<string, { schema: JsonSchema; example?: unknown }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: JsonSchema; example?: unknown }> }>
}
type SchemaDefinition = { properties?: Record<string, JsonSchema>; required?: string[] } & JsonSchema

const pageStyles = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
a { color: LinkText; } a:focus-visible { outline: 3px solid; outline-offset: 2px; }
h2 { margin-top: 3rem; } article { border-top: 1px solid; padding: .5rem 0 1rem; }
code { font-size: .95em; } pre { white-space: pre-wrap; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; } caption { text-align: left; font-weight: bold; padding-top: .5rem; }
ul.index { columns: 20rem; padding-left: 1.25rem; }`

/** Describes a schema in a few words; named schemas link to their table. */
function describeType(schema: JsonSchema): string {
  if (schema.$ref) {
    const schemaName = schema.$ref.split('/').at(-1)!
    return `<a href="#${escapeHtml(schemaName)}">${escapeHtml(schemaName)}</a>`
  }
  if (schema.enum) return schema.enum.map((enumValue) => `<code>${escapeHtml(String(enumValue))}</code>`).join(', ')
  if (schema.const !== undefined) return `<code>${escapeHtml(String(schema.const))}</code>`
  if (schema.anyOf) return schema.anyOf.map(describeType).join(' or ')
  if (schema.type === 'array') return `list of ${describeType(schema.items ?? {})}`
  return escapeHtml([schema.type ?? 'anything', schema.format && `(${schema.format})`].filter(Boolean).join(' '))
}

const renderTable = (caption: string, headings: string[], tableRows: string[][]): string =>
  tableRows.length === 0
    ? ''
    : `<table><caption>${caption}</caption><thead><tr>${headings.map((heading) => `<th scope="col">${heading}</th>`).join('')}</tr></thead>
<tbody>${tableRows.map(([rowHeading, ...otherCells]) => `<tr><th scope="row">${rowHeading}</th>${otherCells.map((cellHtml) => `<td>${cellHtml}</td>`).join('')}</tr>`).join('\n')}</tbody></table>`

/** Renders our own Markdown: paragraphs, headings of the second level, lists, code and bold text. */
function renderIntroduction(markdown: string): string {
  const renderText = (text: string) =>
    escapeHtml(text)
      .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
      .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
  const blocks = markdown
    .trim()
    .replaceAll(/^(## .*)\n/gm, '$1\n\n')
    .split(/\n{2,}/)
  return blocks
    .map((block) => {
      if (block.startsWith('## ')) return `<h2>${renderText(block.slice(3))}</h2>`
      if (!block.startsWith('- ')) return `<p>${renderText(block)}</p>`
      const items = block.slice(2).split(/\n- /)
      return `<ul>${items.map((item) => `<li>${renderText(item)}</li>`).join('')}</ul>`
    })
    .join('\n')
}

const renderExample = (name: string, example: unknown): string =>
  example === undefined
    ? ''
    : `<details><summary>${name}</summary><pre><code>${escapeHtml(JSON.stringify(example, null, 2))}</code></pre></details>`

function renderOperation(method: string, path: string, apiOperation: OpenApiOperation): string {
  const parameterRows = apiOperation.parameters.map((parameter) => [
    `<code>${escapeHtml(parameter.name)}</code>`,
    parameter.in,
    describeType(parameter.schema),
    escapeHtml(parameter.description ?? parameter.schema.description ?? ''),
  ])
  const bodyContent = Object.values(apiOperation.requestBody?.content ?? {})[0]
  const responseRows = Object.entries(apiOperation.responses).map(([status, response]) => {
    const responseContent = Object.values(response.content ?? {})[0]
    return [
      status,
      escapeHtml(response.description.replaceAll('`', '')),
      responseContent ? describeType(responseContent.schema) : '',
    ]
  })
  const replyExample = Object.entries(apiOperation.responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => content?.['application/json']?.example)[0]
  return `<article id="${apiOperation.operationId}"><h3><code>${method.toUpperCase()} ${escapeHtml(path)}</code></h3>
<p>${escapeHtml(apiOperation.summary)}. Permission: <code>${escapeHtml(apiOperation['x-permission'])}</code>.</p>
${renderTable('Parameters', ['Name', 'In', 'Type', 'Meaning'], parameterRows)}
${bodyContent ? `<p>Body: ${describeType(bodyContent.schema)}</p>${renderExample('Example of the body', bodyContent.example)}` : ''}
${renderTable('Responses', ['Status', 'Meaning', 'Type'], responseRows)}${renderExample('Example of the reply', replyExample)}</article>`
}

function renderDefinition(schemaName: string, schemaDefinition: SchemaDefinition): string {
  const requiredFields = new Set(schemaDefinition.required)
  const fieldRows = Object.entries(schemaDefinition.properties ?? {}).map(([fieldName, fieldSchema]) => [
    `<code>${escapeHtml(fieldName)}</code>`,
    describeType(fieldSchema),
    requiredFields.has(fieldName) ? 'yes' : 'no',
    escapeHtml(fieldSchema.description ?? ''),
  ])
  return `<article id="${schemaName}"><h3>${schemaName}</h3>${renderTable('Fields', ['Name', 'Type', 'Required', 'Meaning'], fieldRows) || `<p>${describeType(schemaDefinition)}</p>`}</article>`
}

/** Renders the API documentation: one page without scripts, with its content security policy. */
export function renderApiDocs(openApiDocument: object): { html: string; policy: string } {
  const apiDocument = openApiDocument as {
    info: { description: string }
    paths: Record<string, Record<string, OpenApiOperation>>
    components: { schemas: Record<string, SchemaDefinition> }
  }
  const apiOperations = Object.entries(apiDocument.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, apiOperation]) => ({ method, path, o: apiOperation })),
  )
  const indexItems = apiOperations.map(
    ({ method, path, o: apiOperation }) =>
      `<li><a href="#${apiOperation.operationId}">${method.toUpperCase()} ${escapeHtml(path)}</a></li>`,
  )
  const pageHtml = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>API</title><style>${pageStyles}</style></head>
<body><header><h1>API</h1>
<p>For programs: <a href="openapi.json">openapi.json</a>.</p></header>
<nav aria-label="Calls"><p><a href="#calls">All calls</a></p></nav>
<main>${renderIntroduction(apiDocument.info.description)}
<h2 id="calls">Calls</h2><ul class="index">${indexItems.join('')}</ul>${apiOperations.map(({ method, path, o: apiOperation }) => renderOperation(method, path, apiOperation)).join('\n')}
<h2>Types</h2>${Object.entries(apiDocument.components.schemas)
    .map(([schemaName, schemaDefinition]) => renderDefinition(schemaName, schemaDefinition))
    .join('\n')}</main></body></html>`
  const stylesHash = createHash('sha256').update(pageStyles).digest('base64')
  return {
    html: pageHtml,
    policy: `default-src 'none'; style-src 'sha256-${stylesHash}'; frame-ancestors 'none'; base-uri 'none'`,
  }
}
