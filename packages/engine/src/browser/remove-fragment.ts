/** Returns a URL without its fragment: the document that the browser loads. */
export const removeFragment = (url: string): string => url.split('#', 1)[0]!
