type JsonNode = Record<string, unknown>
type ApiDocument = {
  paths: Record<string, Record<string, JsonNode>>
  components: { schemas: Record<string, JsonNode> }
}

/** A property of the document, the schema or call that it belongs to, and the property around it, if any. */
export type DocumentProperty = { root: string; parent: string | null; name: string; schema: JsonNode }

/** The schema of a body and that of a reply share their texts, as do a call and its copy in the public API. */
const toRootName = (name: string): string => name.replace(/^public-/, '').replace(/(?<=.)Input$/, '')

function* walkProperties(node: unknown, root: string, parent: string | null): Generator<DocumentProperty> {
  if (typeof node !== 'object' || node === null) return
  for (const [key, value] of Object.entries(node as JsonNode)) {
    if (key !== 'properties' || Array.isArray(node)) {
      yield* walkProperties(value, root, parent)
      continue
    }
    for (const [name, schema] of Object.entries(value as Record<string, JsonNode>)) {
      yield { root, parent, name, schema }
      yield* walkProperties(schema, root, name)
    }
  }
}

export function* listProperties({ paths, components }: ApiDocument): Generator<DocumentProperty> {
  for (const [name, schema] of Object.entries(components.schemas)) yield* walkProperties(schema, toRootName(name), null)
  for (const operations of Object.values(paths))
    for (const { operationId, requestBody, responses } of Object.values(operations))
      yield* walkProperties([requestBody, responses], toRootName(String(operationId)), null)
}

/** Keys of a property's text, the most specific first. */
export const listTextKeys = ({ root, parent, name }: DocumentProperty): string[] => [
  ...(parent === null ? [] : [`${parent}.${name}`]),
  `${root}.${name}`,
  name,
]

export function describeProperties(document: ApiDocument, texts: ReadonlyMap<string, string>): void {
  for (const property of listProperties(document)) {
    if (property.schema.description !== undefined) continue
    const key = listTextKeys(property).find((textKey) => texts.has(textKey))
    if (key !== undefined) property.schema.description = texts.get(key)
  }
}
