import type { Endpoint } from '@clearway/contract/kit/endpoint.ts'
import { hasPermission } from '@clearway/contract/kit/permission.ts'
import { Problem, type ProblemCode, problemsByCode } from '@clearway/contract/kit/problem.ts'
import { addExamples, type Examples } from './openapi-example.ts'
import { describeProperties } from './openapi-property.ts'
import { BulkResult } from '@clearway/contract/kit/selection.ts'
import * as z from 'zod/mini'

type JsonObject = Record<string, unknown>

/** The calls of one service. */
export type ApiService = {
  tag: string
  base: string
  table: Readonly<Record<string, Endpoint>>
  /** Scope that a key needs, by call of the public API: callers send a key, and operation ids get a prefix. */
  scopes?: Readonly<Record<string, string>>
}

export type DocumentContent = {
  services: readonly ApiService[]
  /** Modules of schemas: exported object schemas are named after their export. */
  schemas: readonly Readonly<Record<string, unknown>>[]
  /** Schemas that are described by a sentence. */
  sentences: readonly (readonly [schema: z.ZodMiniType, sentence: string])[]
  /** Introduction, as Markdown. */
  introduction: string
  /** Descriptions of parameters by name, for those whose schema has none. */
  parameterTexts: ReadonlyMap<string, string>
  /** Descriptions of properties by `place.name` or by name: see `describeProperties`. */
  propertyTexts: ReadonlyMap<string, string>
  /** Example values by name, and whole bodies by operation: see `addExamples`. */
  examples: Examples
}

/** Problems that every endpoint can return, depending on its body and on authentication. */
const commonProblems: ProblemCode[] = ['bad-request', 'validation-failed', 'server-error', 'maintenance']
const bodyProblems: ProblemCode[] = ['too-large', 'unsupported-type']
const signInProblems: ProblemCode[] = ['not-signed-in', 'access-denied', 'not-found']

function createSchemaRegistry({ schemas, sentences }: Pick<DocumentContent, 'schemas' | 'sentences'>) {
  const schemaRegistry = z.registry<{ id?: string; description?: string }>()
  for (const [schema, description] of sentences) schemaRegistry.add(schema, { description })
  const builtInSchemas = { BulkResult, Problem }
  for (const schemaModule of [...schemas, builtInSchemas])
    for (const [exportName, exportedValue] of Object.entries(schemaModule))
      if (exportedValue instanceof z.ZodMiniObject && !exportName.endsWith('Query'))
        schemaRegistry.add(exportedValue, { id: exportName })
  return schemaRegistry
}

/** Converts schemas into JSON Schema, and collects the named ones under `components`. */
function createSchemaWriter(documentContent: Pick<DocumentContent, 'schemas' | 'sentences'>) {
  const schemaRegistry = createSchemaRegistry(documentContent)
  const namedSchemas: JsonObject = {}
  const writeSchema = (schema: z.core.$ZodType, direction: 'input' | 'output'): JsonObject => {
    // Fields that a body may omit are required in a reply, so these are two different schemas.
    const nameSuffix = direction === 'input' ? 'Input' : ''
    const {
      $schema: _,
      $defs: definitions,
      ...rootSchema
    } = z.toJSONSchema(schema, { io: direction, metadata: schemaRegistry, unrepresentable: 'any' }) as JsonObject & {
      $defs?: JsonObject
    }
    const renameReferences = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value).replaceAll(/"#\/\$defs\/([^"]+)"/g, `"#/components/schemas/$1${nameSuffix}"`))
    for (const [schemaName, schemaDefinition] of Object.entries(definitions ?? {}))
      namedSchemas[schemaName + nameSuffix] = removeId(renameReferences(schemaDefinition) as JsonObject)
    const schemaId = schemaRegistry.get(schema)?.id
    // A named schema is among the definitions, which `rootSchema` references.
    if (schemaId === undefined) return removeId(renameReferences(rootSchema) as JsonObject)
    return { $ref: `#/components/schemas/${schemaId}${nameSuffix}` }
  }
  return { components: namedSchemas, write: writeSchema }
}

const removeId = ({ id: _id, ...otherFields }: JsonObject): JsonObject => otherFields

/** The schema of a parameter's meaning (its output) if JSON Schema can express it, else of its text (its input). */
function buildParameterSchema(
  write: (schema: z.core.$ZodType, io: 'input' | 'output') => JsonObject,
  schema: z.core.$ZodType,
): JsonObject {
  const outputSchema = write(schema, 'output')
  return Object.keys(outputSchema).some((key) => key !== 'default') ? outputSchema : write(schema, 'input')
}

function buildParameters(
  endpoint: Endpoint,
  write: ReturnType<typeof createSchemaWriter>['write'],
  parameterTexts: DocumentContent['parameterTexts'],
): JsonObject[] {
  const toParameters = (location: 'path' | 'query', shape: Endpoint['params']) =>
    Object.entries(shape?.def.shape ?? {}).map(([parameterName, schema]) => {
      const jsonSchema = buildParameterSchema(write, schema)
      const isList = jsonSchema.type === 'array'
      // An optional parameter needs no marker: JSON Schema expresses it by the default.
      return {
        name: parameterName,
        in: location,
        required: location === 'path',
        ...(jsonSchema.description === undefined && { description: parameterTexts.get(parameterName) }),
        schema: jsonSchema,
        ...(isList && { style: 'form', explode: true }),
      }
    })
  const realmHeader = {
    name: 'X-Realm',
    in: 'header',
    required: false,
    schema: { type: 'string' },
    description: 'Realm of the caller, for proxies; the token decides, since it names its issuer',
  }
  return [
    ...toParameters('path', endpoint.params),
    ...toParameters('query', endpoint.query),
    ...(endpoint.permission === 'open' ? [] : [realmHeader]),
  ]
}

function buildSuccessResponse(endpoint: Endpoint, write: ReturnType<typeof createSchemaWriter>['write']): JsonObject {
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

const buildProblemExample = (code: ProblemCode): Problem => {
  const { status, title, detail } = problemsByCode[code]
  return { type: `urn:clearway:problem:${code}`, title, status, detail, code, requestId: 'req-1f3a' }
}

function buildResponses(endpoint: Endpoint, write: ReturnType<typeof createSchemaWriter>['write']): JsonObject {
  const problemCodes = [
    ...commonProblems,
    ...(endpoint.permission === 'open' ? [] : signInProblems),
    ...(endpoint.body || endpoint.files ? bodyProblems : []),
    ...(endpoint.problems ?? []),
  ]
  const codesByStatus = Map.groupBy(problemCodes, (code) => String(problemsByCode[code].status))
  const problemSchema = write(Problem, 'output')
  return {
    [String(endpoint.status ?? 200)]: buildSuccessResponse(endpoint, write),
    ...Object.fromEntries(
      [...codesByStatus].map(([status, statusCodes]) => [
        status,
        {
          description: statusCodes.map((code) => `\`${code}\`: ${problemsByCode[code].title}`).join('; '),
          content: { 'application/problem+json': { schema: problemSchema, example: buildProblemExample(statusCodes[0]!) } },
        },
      ]),
    ),
  }
}

function buildRequestBody(endpoint: Endpoint, write: ReturnType<typeof createSchemaWriter>['write']): JsonObject {
  if (endpoint.body)
    return { requestBody: { required: true, content: { 'application/json': { schema: write(endpoint.body, 'input') } } } }
  if (!endpoint.files) return {}
  const fileSchema = { type: 'string', contentMediaType: endpoint.files.type }
  const formSchema = { type: 'object', properties: { file: { type: 'array', items: fileSchema } } }
  return { requestBody: { required: true, content: { 'multipart/form-data': { schema: formSchema } } } }
}

export function buildOpenApiDocument({
  services,
  introduction,
  parameterTexts,
  propertyTexts,
  examples,
  ...documentContent
}: DocumentContent): JsonObject {
  const { components: schemaComponents, write: writeSchema } = createSchemaWriter(documentContent)
  const pathItems: Record<string, JsonObject> = {}
  for (const { tag, base, table, scopes } of services)
    for (const [operationId, endpoint] of Object.entries(table)) {
      const pathItem = (pathItems[base + endpoint.path] ??= {})
      pathItem[endpoint.method.toLowerCase()] = {
        operationId: scopes ? `public-${operationId}` : operationId,
        tags: [tag],
        summary: endpoint.summary,
        'x-permission': endpoint.permission,
        parameters: buildParameters(endpoint, writeSchema, parameterTexts),
        ...buildRequestBody(endpoint, writeSchema),
        responses: buildResponses(endpoint, writeSchema),
        security:
          endpoint.permission === 'open'
            ? []
            : scopes
              ? [{ apiKey: [scopes[operationId]!] }]
              : [{ bearer: [] }, ...(hasPermission('guest', endpoint.permission) ? [{ guest: [] }] : [])],
      }
    }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Clearway',
      version: '1',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The server of this document' }],
    paths: pathItems,
    components: {
      schemas: Object.fromEntries(Object.entries(schemaComponents).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        guest: { type: 'apiKey', in: 'header', name: 'X-Guest-Token' },
      },
    },
  }
  describeProperties(document as unknown as Parameters<typeof describeProperties>[0], propertyTexts)
  addExamples(document as unknown as Parameters<typeof addExamples>[0], examples)
  return document
}
