/** Returns the certificates of a PEM file. Source: RFC 7468, section 5.1. */
export const splitCertificates = (text: string): string[] =>
  text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
