type JsonNode = Record<string, unknown>

type ExampleValues = ReadonlyMap<string, unknown>

const valuesByFormat: ReadonlyMap<unknown, unknown> = new Map([
  ['uuid', '0198c6f2-7d1c-7a53-9b1e-2f60a4d8c111'],
  ['date-time', '2026-03-02T08:30:00.000Z'],
  ['date', '2026-03-02'],
])

type ExampleContext = { schemas: Readonly<Record<string, JsonNode>>; values: ExampleValues }

const isNode = (value: unknown): value is JsonNode => typeof value === 'object' && value !== null && !Array.isArray(value)

function resolveReference(schema: JsonNode, { schemas }: ExampleContext): JsonNode {
  const reference = typeof schema.$ref === 'string' ? schemas[schema.$ref.split('/').at(-1)!] : undefined
  return reference ?? schema
}

/** The same name may have another meaning elsewhere: a version is a number here, a text there. */
const hasType = (value: unknown, type: unknown): boolean =>
  type === undefined ||
  (type === 'integer' ? Number.isInteger(value) : type === 'array' ? Array.isArray(value) : typeof value === type)

function buildObject(schema: JsonNode, context: ExampleContext): JsonNode {
  const properties = (schema.properties ?? {}) as Record<string, JsonNode>
  const required = new Set((schema.required ?? []) as string[])
  const names = Object.keys(properties).filter((name) => required.has(name) || context.values.has(name))
  return Object.fromEntries(names.map((name) => [name, buildExample(properties[name]!, context, name)]))
}

/** Builds a value that a schema allows: what is required, and optional properties for which there is an example. */
function buildExample(referencedSchema: JsonNode, context: ExampleContext, name: string | null = null): unknown {
  const schema = resolveReference(referencedSchema, context)
  const choices = (schema.anyOf ?? schema.oneOf) as JsonNode[] | undefined
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (choices?.[0]) return buildExample(choices[0], context, name)
  if (schema.type === 'object') return buildObject(schema, context)
  const namedValue = name === null ? undefined : context.values.get(name)
  if (namedValue !== undefined && hasType(namedValue, schema.type)) return namedValue
  if (schema.default !== undefined) return schema.default
  if (schema.type === 'array') return isNode(schema.items) ? [buildExample(schema.items, context)] : []
  if (valuesByFormat.has(schema.format)) return valuesByFormat.get(schema.format)
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, Number(schema.minimum ?? 1))
  if (schema.type === 'boolean') return true
  return schema.type === 'string' ? 'Text' : null
}

type JsonContent = Record<string, { schema: JsonNode; example?: unknown }>
type Operation = {
  operationId: string
  parameters: { name: string; schema: JsonNode; example?: unknown }[]
  requestBody?: { content: JsonContent }
  responses: Record<string, { content?: JsonContent }>
}
type ApiDocument = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, JsonNode> } }

/** Values by name, and whole bodies by operation where values alone do not fit. Values of replies precede the others there. */
export type Examples = { values: ExampleValues; replyValues: ExampleValues; bodies: ReadonlyMap<string, unknown> }

export function addExamples(document: ApiDocument, { values, replyValues, bodies }: Examples): void {
  const { schemas } = document.components
  const allValues = new Map([...values, ...replyValues])
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    for (const parameter of operation.parameters) {
      const example = values.get(parameter.name)
      if (example !== undefined && parameter.schema.type === 'string') parameter.example = example
    }
    const body = operation.requestBody?.content['application/json']
    const name = operation.operationId.replace(/^public-/, '')
    if (body) body.example = bodies.get(name) ?? buildExample(body.schema, { schemas, values })
    const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1]
    const reply = success?.content?.['application/json']
    if (reply) reply.example = buildExample(reply.schema, { schemas, values: allValues })
  }
}
