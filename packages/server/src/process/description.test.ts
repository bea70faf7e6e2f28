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

  it('is readable as a page, each call with a heading', () => {
    const { html } = renderApiDocs(document)
    for (const path of Object.keys(document.paths)) expect(html).toContain(`${path.replaceAll('&', '&amp;')}</code></h3>`)
  })
})
