/**
 * EVERY REASON why an address gives no document, as a reject says it: the end of a sentence. Rejects are published and
 * count in the id of the snapshot, so what hangs on the hour, on the network or on how long this machine waits is one
 * reason, whichever of it happened. What happened the log says.
 */
export const FETCH_FAULTS = {
  no_answer: 'its server could not be asked, or gave no whole answer',
  not_there: 'its server says that there is nothing',
  not_allowed: 'its server does not let it be read',
  no_document: 'its server answers with something else than a document',
  redirect: 'its server redirects to where nothing is asked, or too often',
  certificate:
    'the certificate of its server is not good (NODE_EXTRA_CA_CERTS names a file of further authorities to trust)',
  not_public: 'it leads to what is no public address (--private-addresses allow asks it)',
  too_large: 'it is larger than what is fetched (--fetch-mb)',
  packing: 'what its server sends cannot be unpacked',
  format: 'what its server sends is of no format that is read, or of another one than its address says',
} as const;

export type FetchFault = keyof typeof FETCH_FAULTS;
