import { parseScript } from '@clearway/contract/monitor/script/model.ts'
import { sentenceForms, parseAction } from '@clearway/contract/monitor/script/action/model.ts'
import type { ScriptType } from '@clearway/contract/monitor/script/schema.ts'
import { expect, it } from 'vitest'
import { actionExamples, scriptExamples } from './example.ts'

it('has a valid example of every script action', () => {
  const read = actionExamples.map(({ example }) => parseAction(example))
  expect(read.map((one) => (one.ok ? one.action.do : one))).toEqual(actionExamples.map(({ does }) => does))
  const verbs = new Set(sentenceForms.map(({ form }) => form.split(' ')[0]))
  expect(new Set(actionExamples.map(({ example }) => example.split(' ')[0]))).toEqual(verbs)
  expect(actionExamples).toHaveLength(9)
})

it.each(['TASK', 'SESSION'] satisfies ScriptType[])('has a complete script of type %s', (type) => {
  expect(parseScript(scriptExamples[type], type)).toMatchObject({ ok: true })
})
