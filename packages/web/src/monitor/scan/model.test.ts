import { expect, it } from 'vitest'
import { shortenUrl } from './model.ts'

it.each([
  ['https://city.example/', 'city.example'],
  ['https://city.example:8443/', 'city.example:8443'],
  ['https://city.example/?page=2', 'city.example/?page=2'],
  ['https://city.example/news?id=7', 'city.example/news?id=7'],
  ['https://city.example/#/news', 'city.example/#/news'],
  ['https://city.example/caf%C3%A9?q=%2F', 'city.example/café?q=%2F'],
  ['city', 'city'],
])('shortens %s to %s', (url, expected) => {
  expect(shortenUrl(url)).toBe(expected)
})
