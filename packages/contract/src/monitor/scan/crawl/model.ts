/** The syntax of RE2 that JavaScript lacks, as its closest form there. */
const toJavaScriptSyntax = (expression: string): string =>
  expression
    .replaceAll('(?P<', '(?<')
    .replaceAll(/\(\?[imsU-]{1,8}\)/g, '')
    .replaceAll(/\(\?[imsU-]{1,8}:/g, '(?:')
    .replaceAll(/\[:\^?[a-z]{1,10}:\]/g, 'a')

/** True for an expression that RE2 may accept, for forms: no look-around or backreferences. The server decides, by RE2 itself. */
export function isPlausibleExpression(expression: string): boolean {
  if (/\(\?<?[=!]|\\[1-9]|\\k</.test(expression.replaceAll('\\\\', ''))) return false
  try {
    return new RegExp(toJavaScriptSyntax(expression)) instanceof RegExp
  } catch {
    return false
  }
}
