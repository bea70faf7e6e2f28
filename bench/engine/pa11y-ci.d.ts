declare module 'pa11y-ci' {
  type Issue = { code: string; selector: string }
  export default function pa11yCi(
    urls: readonly string[],
    options: object,
  ): Promise<{ results: Record<string, (Issue | Error)[]> }>
}
