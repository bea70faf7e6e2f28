/** Reads the body of a reply as text. @throws Error above `maxBytes`; the message is the end of a sentence */
export async function readReply(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let receivedBytes = 0
  for await (const chunk of response.body ?? []) {
    receivedBytes += chunk.byteLength
    if (receivedBytes > maxBytes) throw new Error(`its answer is larger than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
