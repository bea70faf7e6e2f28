import { expect, it } from 'vitest'
import { escapeXml } from './xml.ts'

it('replaces characters that are invalid in XML and escapes markup', () => {
  expect(escapeXml('\u0000\u0008\u000b\u001f\ufffe\uffff\ud800')).toBe('\ufffd'.repeat(7))
  expect(escapeXml(`<a b="c" d='e'>&\t\r\n\u{1f600}`)).toBe('&#60;a b=&#34;c&#34; d=&#39;e&#39;&#62;&#38;&#9;&#13;&#10;\u{1f600}')
})
