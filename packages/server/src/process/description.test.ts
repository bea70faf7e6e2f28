import { Validator } from '@seriousme/openapi-schema-validator'
import { Problem } from '@clearway/contract/kit/problem.ts'
import { monitorApi } from '@clearway/contract/monitor/api.ts'
import { parseScript } from '@clearway/contract/monitor/script/model.ts'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { renderApiDocs } from '../kit/api-docs.ts'
import { listProperties, listTextKeys } from '../kit/openapi-property.ts'
import { exampleBodies, exampleScript } from './api-example.ts'
import { apiServices, describeApi, propertyTexts } from './description.ts'
import { placePropertyTexts } from './property-text-place.ts'
import { sharedPropertyTexts } from './property-text.ts'

describe('the description of the API', () => {
  const document = describeApi() as {
    paths: Record<string, Record<string, { operationId: string; security: object[] }>>
    components: { schemas: Record<string, { $ref?: string }> }
  }

  it('is valid OpenAPI 3.1', async () => {
    const plain = JSON.parse(JSON.stringify(document)) as Record<string, unknown>
    expect(await new Validator().validate(plain)).toMatchObject({ valid: true })
  })

  it('includes every call of the contract', () => {
    const ids = Object.values(document.paths).flatMap((p) => Object.values(p).map((o) => o.operationId))
    expect(ids).toEqual(expect.arrayContaining(Object.keys(monitorApi)))
  })

  it('states the scope that a key needs for a call', () => {
    const listSecurity = (path: string) =>
      Object.entries(document.paths[`/monitor-public-api/v1${path}`]!).map(([method, { security }]) => [method, security])
    expect(listSecurity('/scans/{id}')).toEqual([
      ['get', [{ apiKey: ['read'] }]],
      ['put', [{ apiKey: ['manage'] }]],
      ['delete', [{ apiKey: ['manage'] }]],
    ])
    expect(listSecurity('/scans/{id}/startRun')).toEqual([['post', [{ apiKey: ['run'] }]]])
  })

  it('describes every schema beyond its name', () => {
    const { schemas } = document.components
    const empty = Object.keys(schemas).filter((name) => schemas[name]?.$ref === `#/components/schemas/${name}`)
    expect(empty).toEqual([])
  })

  it('introduces the API, and describes every parameter', () => {
    const { info, servers } = document as unknown as { info: { description: string }; servers: object[] }
    expect(info.description.match(/^## .*/gm)).toHaveLength(7)
    expect(servers).toEqual([expect.objectContaining({ url: '/' })])
    type Parameter = { name: string; description?: string; schema: { description?: string } }
    const parameters = Object.values(document.paths)
      .flatMap((path) => Object.values(path))
      .flatMap((operation) => (operation as unknown as { parameters: Parameter[] }).parameters)
    expect(parameters.length).toBeGreaterThan(600)
    expect(parameters.filter(({ description, schema }) => !description && !schema.description).map(({ name }) => name)).toEqual(
      [],
    )
  })

  it('describes every property in words that its name does not say', () => {
    const properties = [...listProperties(document as never)]
    expect(properties.length).toBeGreaterThan(2500)
    const getWords = (text: string) => text.toLowerCase().match(/[a-z0-9]+/g) ?? []
    const filler = new Set('a an the of for in is are it its this that to by and or as on at'.split(' '))
    const faults = properties.flatMap(({ root, name, schema }) => {
      const description = typeof schema.description === 'string' ? schema.description : ''
      const nameWords = new Set(getWords(name.replaceAll(/(?=[A-Z])/g, ' ')).flatMap((word) => [word, `${word}s`]))
      const ownWords = getWords(description).filter((word) => !nameWords.has(word) && !filler.has(word))
      return ownWords.length >= 2 ? [] : [`${root}.${name}: ${description}`]
    })
    expect([...new Set(faults)]).toEqual([])
    const scanNames = properties.filter(({ schema }) =>
      JSON.stringify(schema.description ?? '')
        .slice(1)
        .startsWith('Name of the scan;'),
    )
    expect(new Set(scanNames.map(({ root }) => root))).toEqual(new Set(['ScanSettings']))
  })

  it('has no text for a property that does not exist, and none twice', () => {
    const usedKeys = new Set([...listProperties(document as never)].flatMap(listTextKeys))
    expect([...propertyTexts.keys()].filter((key) => !usedKeys.has(key))).toEqual([])
    const doubled = [...sharedPropertyTexts.keys()].filter((key) => placePropertyTexts.has(key))
    expect(doubled).toEqual([])
  })

  it('has an example for every body, which the contract accepts', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path)) as unknown as {
      operationId: string
      requestBody?: { content: Record<string, { example?: unknown }> }
    }[]
    const endpoints = apiServices.flatMap(({ table, scopes }) =>
      Object.entries(table).map(([id, endpoint]) => [scopes ? `public-${id}` : id, endpoint] as const),
    )
    const faults = endpoints.flatMap(([id, { body }]) => {
      if (!body) return []
      const example = operations.find(({ operationId }) => operationId === id)?.requestBody?.content['application/json']?.example
      const result = z.safeParse(body, example)
      return result.success ? [] : [`${id}: ${JSON.stringify(example)} ${z.prettifyError(result.error)}`]
    })
    expect(faults).toEqual([])
    const operationIds = new Set(operations.map(({ operationId }) => operationId))
    expect(parseScript(exampleScript, 'TASK')).toMatchObject({ ok: true })
    expect([...exampleBodies.keys()].filter((id) => !operationIds.has(id))).toEqual([])
  })

  it('has an example for every reply, which the contract accepts, and for every problem', () => {
    type Content = Record<string, { example?: unknown }>
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path)) as unknown as {
      operationId: string
      responses: Record<string, { content?: Content }>
    }[]
    const responsesById = new Map(operations.map(({ operationId, responses }) => [operationId, responses]))
    const endpoints = apiServices.flatMap(({ table, scopes }) =>
      Object.entries(table).map(([id, endpoint]) => [scopes ? `public-${id}` : id, endpoint] as const),
    )
    const faults = endpoints.flatMap(([id, { reply, status = 200 }]) => {
      if ('empty' in reply || 'blob' in reply || 'events' in reply) return []
      const example = responsesById.get(id)![status]!.content!['application/json']!.example
      const result = z.safeParse(reply, example)
      return result.success ? [] : [`${id}: ${JSON.stringify(example)} ${z.prettifyError(result.error)}`]
    })
    expect(faults).toEqual([])
    const problems = operations.flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, { content }]) => {
        const problem = content?.['application/problem+json']
        return problem ? [[status, problem.example] as const] : []
      }),
    )
    expect(problems.length).toBeGreaterThan(1000)
    for (const [status, example] of problems) expect(z.parse(Problem, example).status).toBe(Number(status))
  })

  it('is readable as a page, each call with a heading', () => {
    const { html } = renderApiDocs(document)
    expect(html).toContain('<li><strong>Guests</strong> send the token of a public link in <code>X-Guest-Token</code>.')
    expect(html).not.toContain('**')
    expect(html).toContain('<td>Number of issues that keep people from using the page</td>')
    expect(html).toContain('&quot;reason&quot;: &quot;Decoration only&quot;')
    for (const path of Object.keys(document.paths)) expect(html).toContain(`${path.replaceAll('&', '&amp;')}</code></h3>`)
  })
})
