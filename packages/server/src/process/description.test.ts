import { Validator } from '@seriousme/openapi-schema-validator'
import { monitorApi } from '@clearway/contract/monitor/api.ts'
import { describe, expect, it } from 'vitest'
import { renderApiDocs } from '../kit/api-docs.ts'
import { describeApi } from './description.ts'

describe('the description of the API', () => {
  const document = describeApi() as {
    paths: Record<string, Record<string, { operationId: string }>>
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

  it('is readable as a page, each call with a heading', () => {
    const { html } = renderApiDocs(document)
    expect(html).toContain('<li><strong>Guests</strong> send the token of a public link in <code>X-Guest-Token</code>.')
    expect(html).not.toContain('**')
    for (const path of Object.keys(document.paths)) expect(html).toContain(`${path.replaceAll('&', '&amp;')}</code></h3>`)
  })
})
