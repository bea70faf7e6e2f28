import type { Endpoint } from '@clearway/contract/kit/endpoint.ts'
import { Problem, type ProblemCode, problemsByCode } from '@clearway/contract/kit/problem.ts'
import { BulkResult } from '@clearway/contract/kit/selection.ts'
import * as z from 'zod/mini'

type Json = Record<string, unknown>

/** Calls that a service answers. */
export type Service = {
  tag: string
  /** The path that its calls are below. */
  base: string
  table: Readonly<Record<string, Endpoint>>
  /** Some calls of another service below a path of their own: callers send a key, and the ids get a prefix. */
  isPublic?: true
}

/** What the document describes. */
export type Described = {
  services: readonly Service[]
  /** Modules of schemas: exported object schemas get their export's name in the document. */
  schemas: readonly Readonly<Record<string, unknown>>[]
  /** Schemas that are said in a sentence. */
  sentences: readonly (readonly [schema: z.ZodMiniType, sentence: string])[]
}

/** Problems that every endpoint can have, by whether it asks who calls. */
const usual: ProblemCode[] = ['bad-request', 'validation-failed', 'server-error', 'maintenance']
const usualWithBody: ProblemCode[] = ['too-large', 'unsupported-type']
const usualSignedIn: ProblemCode[] = ['not-signed-in', 'access-denied', 'not-found']

function nameSchemas({ schemas, sentences }: Pick<Described, 'schemas' | 'sentences'>) {
  const registry = z.registry<{ id?: string; description?: string }>()
  for (const [schema, description] of sentences) registry.add(schema, { description })
  const own = { BulkResult, Problem }
  for (const module of [...schemas, own])
    for (const [name, value] of Object.entries(module))
      if (value instanceof z.ZodMiniObject && !name.endsWith('Query')) registry.add(value, { id: name })
  return registry
}

/** Turns schemas into JSON Schema and gathers the named ones under `components`. */
function schemaWriter(described: Pick<Described, 'schemas' | 'sentences'>) {
  const registry = nameSchemas(described)
  const components: Json = {}
  const write = (schema: z.core.$ZodType, io: 'input' | 'output'): Json => {
    // What a body may leave out is required in a reply, so the two are different schemas.
    const suffix = io === 'input' ? 'Input' : ''
    const {
      $schema: _,
      $defs,
      ...own
    } = z.toJSONSchema(schema, { io, metadata: registry, unrepresentable: 'any' }) as Json & {
      $defs?: Json
    }
    const rename = (value: unknown): unknown =>
      JSON.parse(
        JSON.stringify(value).replaceAll(/"#\/\$defs\/([^"]+)"/g, `"#/components/schemas/$1${suffix}"`),
      )
    for (const [name, definition] of Object.entries($defs ?? {}))
      components[name + suffix] = strip(rename(definition) as Json)
    const id = registry.get(schema)?.id
    // One with a name is among the definitions, and `own` refers to it.
    if (id === undefined) return strip(rename(own) as Json)
    return { $ref: `#/components/schemas/${id}${suffix}` }
  }
  return { components, write }
}

const strip = ({ id: _id, ...rest }: Json): Json => rest

/** A parameter is read as text; what it means is the output of its schema, where JSON Schema has a word for it. */
function parameterSchema(
  write: (schema: z.core.$ZodType, io: 'input' | 'output') => Json,
  schema: z.core.$ZodType,
): Json {
  const meant = write(schema, 'output')
  return Object.keys(meant).some((key) => key !== 'default') ? meant : write(schema, 'input')
}

function parameters(endpoint: Endpoint, write: ReturnType<typeof schemaWriter>['write']): Json[] {
  const from = (location: 'path' | 'query', shape: Endpoint['params']) =>
    Object.entries(shape?.def.shape ?? {}).map(([name, schema]) => {
      const described = parameterSchema(write, schema)
      const list = described.type === 'array'
      // JSON Schema's word for "may be left out" is the lack of "required", so the default says it all.
      return {
        name,
        in: location,
        required: location === 'path',
        schema: described,
        ...(list && { style: 'form', explode: true }),
      }
    })
  const realm = {
    name: 'X-Realm',
    in: 'header',
    required: false,
    schema: { type: 'string' },
    description: 'Realm of the caller',
  }
  return [
    ...from('path', endpoint.params),
    ...from('query', endpoint.query),
    ...(endpoint.permission === 'open' ? [] : [realm]),
  ]
}

function success(endpoint: Endpoint, write: ReturnType<typeof schemaWriter>['write']): Json {
  const { reply } = endpoint
  if ('empty' in reply) return { description: 'Done' }
  if ('blob' in reply)
    return {
      description: 'The content',
      content: { [reply.blob]: { schema: reply.blob.endsWith('json') ? {} : { type: 'string' } } },
    }
  if ('events' in reply)
    return {
      description: 'Server-sent events; the data of each is JSON',
      content: { 'text/event-stream': { schema: { type: 'string', description: 'Lines of events' } } },
    }
  return { description: 'Success', content: { 'application/json': { schema: write(reply, 'output') } } }
}

function responses(endpoint: Endpoint, write: ReturnType<typeof schemaWriter>['write']): Json {
  const codes = [
    ...usual,
    ...(endpoint.permission === 'open' ? [] : usualSignedIn),
    ...(endpoint.body || endpoint.files ? usualWithBody : []),
    ...(endpoint.problems ?? []),
  ]
  const byStatus = Map.groupBy(codes, (code) => String(problemsByCode[code].status))
  const problem = { 'application/problem+json': { schema: write(Problem, 'output') } }
  return {
    [String(endpoint.status ?? 200)]: success(endpoint, write),
    ...Object.fromEntries(
      [...byStatus].map(([status, list]) => [
        status,
        {
          description: list.map((code) => `\`${code}\`: ${problemsByCode[code].title}`).join('; '),
          content: problem,
        },
      ]),
    ),
  }
}

function requestBody(endpoint: Endpoint, write: ReturnType<typeof schemaWriter>['write']): Json {
  if (endpoint.body)
    return {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: write(endpoint.body, 'input') } },
      },
    }
  if (!endpoint.files) return {}
  const file = { type: 'string', contentMediaType: endpoint.files.type }
  const schema = { type: 'object', properties: { file: { type: 'array', items: file } } }
  return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } }
}

/** The OpenAPI 3.1 description of every call, from the contract alone. */
export function openApiDocument({ services, ...described }: Described): Json {
  const { components, write } = schemaWriter(described)
  const paths: Record<string, Json> = {}
  for (const { tag, base, table, isPublic } of services)
    for (const [operationId, endpoint] of Object.entries(table)) {
      const path = (paths[base + endpoint.path] ??= {})
      path[endpoint.method.toLowerCase()] = {
        operationId: isPublic ? `public-${operationId}` : operationId,
        tags: [tag],
        summary: endpoint.summary,
        'x-permission': endpoint.permission,
        parameters: parameters(endpoint, write),
        ...requestBody(endpoint, write),
        responses: responses(endpoint, write),
        security: endpoint.permission === 'open' ? [] : isPublic ? [{ apiKey: [] }] : [{ bearer: [] }],
      }
    }
  return {
    openapi: '3.1.0',
    info: { title: 'Clearway', version: '1', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
    },
  }
}
