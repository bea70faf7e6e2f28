import { parseXPath } from '@clearway/contract/monitor/scan/model.ts'
import { isCssSelector } from '../../../kit/selector/css.ts'
import { isXPathOfNodes } from '../../../kit/selector/xpath.ts'

/** Checks that Chromium accepts a selector: XPath with the prefix `xpath=` or starting with `//`, else CSS. Executes nothing. */
export function isSelector(selectorText: string): boolean {
  const xpathText = parseXPath(selectorText)
  return xpathText === null ? isCssSelector(selectorText) : isXPathOfNodes(xpathText)
}
