import { expect, it } from 'vitest'
import { renderInPage } from '../../../test/show.tsx'
import { Button } from './button.tsx'

it('frames a quiet button neither when it can be pressed nor when it cannot', async () => {
  const ignorePress = () => undefined
  await renderInPage(
    <>
      <Button kind="quiet" onPress={ignorePress}>
        Next
      </Button>
      <Button kind="quiet" pending onPress={ignorePress}>
        Previous
      </Button>
      <Button onPress={ignorePress}>Framed</Button>
    </>,
  )
  const borderColors = [...document.querySelectorAll('button')].map((button) => getComputedStyle(button).borderTopColor)
  const transparent = 'rgba(0, 0, 0, 0)'
  expect(borderColors.map((color) => color === transparent)).toEqual([true, true, false])
})
