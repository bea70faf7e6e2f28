import { expect, it } from 'vitest'
import { splitViews } from './model-view.ts'

const driven = {
  level: 'full' as const,
  version: 1,
  isPartial: false,
  walk: { view: 3, stops: [] },
  stateViews: [
    { state: '390 px', view: 4 },
    { state: 'opened: Menu', view: 5 },
  ],
}

it('tells the screenshots of a visit from those of a drive', () => {
  expect(splitViews({ views: 5, driven })).toEqual({ own: [1, 2], states: driven.stateViews, walk: 3 })
  expect(splitViews({ views: 2, driven: { ...driven, walk: undefined, stateViews: undefined } })).toMatchObject({ own: [1, 2] })
  expect(splitViews({ views: 1, driven: null })).toEqual({ own: [1], states: [], walk: null })
})

it('has none once they were removed', () => {
  expect(splitViews({ views: 0, driven })).toEqual({ own: [], states: [], walk: null })
})
