/** True unless an expression has look-around or backreferences, which cannot be matched in linear time. */
export const isLinearExpression = (expression: string): boolean =>
  !/\(\?<?[=!]|\\[1-9]|\\k</.test(expression.replaceAll('\\\\', ''))
