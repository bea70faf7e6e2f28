type JsonNode = Record<string, unknown>

/** Example values of properties and parameters, by name. */
export type ExampleValues = ReadonlyMap<string, unknown>

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
  if (name !== null && context.values.has(name)) return context.values.get(name)
  if (schema.default !== undefined) return schema.default
  if (schema.type === 'array') return isNode(schema.items) ? [buildExample(schema.items, context)] : []
  if (valuesByFormat.has(schema.format)) return valuesByFormat.get(schema.format)
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, Number(schema.minimum ?? 1))
  if (schema.type === 'boolean') return true
  return schema.type === 'string' ? 'Text' : null
}

type Operation = {
  operationId: string
  parameters: { name: string; schema: JsonNode; example?: unknown }[]
  requestBody?: { content: Record<string, { schema: JsonNode; example?: unknown }> }
}
type ApiDocument = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, JsonNode> } }

/** Adds examples to parameters and to JSON bodies. @param bodies whole bodies by operation, where values alone do not fit */
export function addExamples(document: ApiDocument, values: ExampleValues, bodies: ReadonlyMap<string, unknown>): void {
  const context = { schemas: document.components.schemas, values }
  for (const { operationId, parameters, requestBody } of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    for (const parameter of parameters) {
      const example = values.get(parameter.name)
      if (example !== undefined && parameter.schema.type === 'string') parameter.example = example
    }
    const body = requestBody?.content['application/json']
    if (body) body.example = bodies.get(operationId.replace(/^public-/, '')) ?? buildExample(body.schema, context)
  }
}
