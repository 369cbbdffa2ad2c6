// What the service promises, one entry per promise. `interface` entries come from the public interface,
// `decision` entries from the choices made where the interface is silent (docs/spec-gaps.md).
// Tests cite entries by id through `requirement(...)`; requirements.test.ts fails when an entry is cited
// by no test. An entry with `appliesTo` needs a part that this suite's own instance does not have:
// it may stay uncited, and the same test lists it by name on every run.
export interface Requirement {
  id: string
  source: 'interface' | 'decision'
  says: string
  appliesTo?: 's3'
}

const interfaceRequirements = [
  { id: 'base.json-over-http', says: 'Operations are HTTP requests with JSON bodies.' },
  { id: 'base.paths-under-prefix', says: 'Every operation lies under a base address with a path prefix.' },
  { id: 'base.presigned-urls', says: 'Upload and download addresses are signed URLs made by the service.' },

  { id: 'areas.interchange', says: 'Markdown, HTML, EPUB, LaTeX and RST documents are interchanged.' },
  { id: 'areas.office-to-pdf', says: 'Office documents become PDF.' },
  { id: 'areas.pdf-to-word', says: 'PDF becomes Word.' },
  { id: 'areas.video', says: 'Video is transcoded.' },
  { id: 'areas.browser-pairs-left-out', says: 'Pairs that a browser can convert are not offered.' },
  { id: 'areas.browser-pairs-refused', says: 'Asking for a browser pair is refused with `client-pair`.' },
  { id: 'flow.whole', says: 'Submit, PUT, poll until it ends, download: that is one conversion.' },
  { id: 'retention.input', says: 'The input is gone the moment the conversion ends.' },
  { id: 'retention.output', says: 'The output is kept for about an hour, then deleted.' },
  { id: 'billing.allowance', says: 'An account has free conversions every month.' },
  { id: 'billing.credits', says: 'Past the free ones, each conversion is charged to credits.' },
  {
    id: 'agent-tools.convert-file',
    says: 'An agent tool server offers `convert_file` over this interface.',
  },
  { id: 'agent-tools.no-operation-added', says: 'The agent tool server adds no operation here.' },
  { id: 'pair.slug-shape', says: 'A pair is named `<from>-to-<to>` in lower case.' },

  { id: 'formats.exact-fields', says: 'A listed pair has exactly the seven documented fields.' },
  { id: 'formats.from-and-to', says: '`from` and `to` name the source and the target format.' },
  { id: 'formats.pair-is-submittable', says: '`pair` is the value to submit.' },
  { id: 'formats.label', says: '`label` is a name for people.' },
  { id: 'formats.cap-in-bytes', says: '`freeMaxBytes` is the cap of the pair, an integer.' },
  { id: 'formats.cap-in-megabytes', says: '`freeMaxMB` is the same cap in megabytes, an integer.' },
  { id: 'formats.cost', says: '`costCredits` is what one conversion costs, an integer.' },

  { id: 'submit.exact-fields', says: 'A submit result has exactly its documented fields.' },
  { id: 'submit.job-id', says: '`jobId` is the id that the poll takes.' },
  { id: 'submit.upload-url', says: '`uploadUrl` takes the bytes by PUT.' },
  { id: 'submit.poll-url-shape', says: '`pollUrl` is the path `<prefix>/v1/conversions/<id>`.' },
  { id: 'submit.poll-url-on-origin', says: '`pollUrl` works when put after the origin.' },
  { id: 'submit.idempotent-field', says: '`idempotent` is there on replays.' },

  { id: 'poll.exact-fields', says: 'A job has exactly its five fields.' },
  { id: 'poll.job-id', says: 'The job carries its id.' },
  { id: 'poll.status-values', says: '`status` is queued, processing, done or failed.' },
  { id: 'poll.download-url-when-done', says: '`downloadUrl` is set when the job is done, else null.' },
  { id: 'poll.download-url-an-hour', says: '`downloadUrl` works for about an hour.' },
  { id: 'poll.error-text', says: '`error` is text when the job failed, else null.' },
  { id: 'poll.expires-at', says: '`expiresAt` tells when output and link expire; null before the end.' },

  { id: 'usage.exact-fields', says: 'The usage snapshot has exactly its documented fields.' },
  { id: 'usage.jobs-per-month', says: '`freeTier.jobsPerMonth` is the size of the allowance.' },
  { id: 'usage.jobs-remaining', says: '`freeTier.jobsRemaining` is what is left of it.' },
  { id: 'usage.credits-balance', says: '`creditsBalance` is the balance, a number.' },
  { id: 'usage.window-start', says: '`windowStart` is when the billing window began.' },
  { id: 'usage.window-jobs', says: '`account.jobs` counts the jobs of the window.' },
  { id: 'usage.window-bytes', says: '`account.bytes` sums their bytes.' },

  { id: 'errors.exact-body', says: 'An error body has `error` and `code` and nothing else.' },
  { id: 'errors.code-to-branch-on', says: '`code` is a stable word of a known set, with its own status.' },

  { id: 'state.queued', says: 'An accepted job that waits is `queued`.' },
  { id: 'state.processing', says: 'A running conversion is `processing`.' },
  { id: 'state.done', says: 'A `done` job gives `downloadUrl` and `expiresAt`.' },
  { id: 'state.failed', says: 'A `failed` job gives its reason in `error`.' },
  { id: 'state.ends', says: 'Polling every 1.5 s leads to `done` or `failed`.' },

  { id: 'http.json-content-type', says: 'Answers are `application/json`.' },
  { id: 'formats.no-credentials', says: 'Listing formats needs no credentials.' },
  { id: 'formats.no-parameters', says: 'Listing formats takes no parameters and no body.' },
  { id: 'formats.object-with-pairs', says: 'It answers 200 with an object holding `pairs`.' },
  { id: 'formats.server-side-only', says: 'It lists server-side pairs only.' },
  { id: 'submit.declares', says: 'A submit declares a conversion and answers with an upload URL.' },
  { id: 'submit.key-optional', says: '`Idempotency-Key` may be left out.' },
  { id: 'submit.key-any-string', says: '`Idempotency-Key` may be any unique string.' },
  { id: 'submit.retry-same-job', says: 'A retry with the same key gives the same job.' },
  { id: 'submit.retry-charged-once', says: 'A retry with the same key is never charged again.' },
  { id: 'submit.body-required', says: 'A submit needs a body.' },
  { id: 'submit.pair-required', says: '`pair` is required and is a string.' },
  { id: 'submit.bytes-required', says: '`bytes` is required and is an integer, the exact length.' },
  { id: 'submit.created-201', says: 'A new job answers 201.' },
  { id: 'submit.replay-200', says: 'A replay answers 200.' },
  { id: 'submit.bad-request-400', says: 'A malformed submit answers 400 `bad-request`.' },
  { id: 'submit.unknown-pair-400', says: 'A pair that is not supported answers 400 `unknown-pair`.' },
  { id: 'submit.client-pair-400', says: 'A browser pair answers 400 `client-pair`.' },
  { id: 'submit.unauthenticated-401', says: 'A submit without a good key answers 401.' },
  { id: 'submit.require-credits-402', says: 'No allowance and no credits answers 402 `require-credits`.' },
  { id: 'submit.too-large-413', says: 'More bytes than the cap answers 413 `too-large`.' },
  { id: 'submit.rate-limited-429', says: 'Too many submits answer 429 with `Retry-After`.' },
  { id: 'upload.put-bytes', says: 'The raw bytes are PUT to the upload URL.' },
  { id: 'upload.no-credentials', says: 'The upload URL is outside the base address and needs no key.' },
  { id: 'poll.by-id', says: 'The poll takes the job id in its path and answers 200.' },
  { id: 'poll.forbidden-403', says: "Another account's job answers 403 `forbidden`." },
  { id: 'poll.not-found-404', says: 'An id without a job answers 404 `not-found`.' },
  { id: 'download.plain-get', says: 'The output is a plain GET on `downloadUrl`, without credentials.' },
  { id: 'usage.no-parameters', says: 'Usage takes no parameters and no body, and answers 200.' },

  { id: 'auth.bearer', says: 'The key goes into `Authorization: Bearer`.' },
  { id: 'auth.fixed-prefix', says: 'Live keys begin with a fixed prefix.' },
  { id: 'auth.backend-only', says: 'Keys are for backends: no browser page of another origin may use one.' },
  { id: 'auth.all-but-formats', says: 'Every operation but the list of formats needs the key.' },
  { id: 'auth.unauthenticated-401', says: 'A missing or invalid key answers 401 `unauthenticated`.' },
  { id: 'auth.owner-only', says: 'Only the owning account reads a job.' },
  { id: 'auth.allowance-across-keys', says: 'All keys of an account draw on one allowance.' },
  { id: 'events.polling-only', says: 'Progress is read by polling; no operation takes or needs a callback.' },
  { id: 'errors.retry-after-holds', says: 'After `Retry-After` has passed the request is served again.' },
  { id: 'errors.failed-job', says: 'A failed job is a 200 poll with `failed` and a text.' },

  { id: 'limits.fifty-a-month', says: 'Fifty conversions a month are free.' },
  { id: 'limits.file-size', says: 'The cap is 50 MB for pairs that state it, and as listed for each.' },
  { id: 'limits.output-retention', says: 'Output and link last about an hour after completion.' },
  { id: 'limits.input-retention', says: 'Input does not outlive its conversion.' },
  { id: 'limits.cost', says: 'Past the allowance a conversion costs the `costCredits` of its pair.' },
  { id: 'limits.idempotency', says: 'One `Idempotency-Key`: one job, one charge.' },

  { id: 'version.in-path', says: 'Every operation sits under `/v1/`.' },
  { id: 'version.one', says: 'The interface description is version 1.0.0.' },
] as const

const decisionRequirements = [
  { id: 'prefix.default', says: 'Without a setting the prefix is `/api`.' },
  { id: 'prefix.configurable', says: 'The prefix can be configured.' },
  { id: 'prefix.in-poll-url', says: '`pollUrl` carries the configured prefix.' },

  { id: 'order.key-first', says: '401 comes before every other refusal.' },
  { id: 'order.shape-before-pair', says: '`bad-request` comes before `unknown-pair` and `client-pair`.' },
  { id: 'order.pair-before-size', says: '`unknown-pair` and `client-pair` come before 413.' },
  { id: 'order.size-before-replay', says: '413 comes before a look at the idempotency key.' },
  { id: 'order.replay-before-rate', says: 'A replay is answered even when submits are rate limited.' },
  { id: 'order.rate-before-credits', says: '429 comes before 402.' },
  { id: 'order.refusal-moves-no-meter', says: 'A refused submit moves no meter.' },

  {
    id: 'client-pair.image-to-image',
    says: 'Image to image, HEIC, AVIF, SVG and raw included: client pair.',
  },
  { id: 'client-pair.image-and-pdf', says: 'Image to PDF and PDF to image: client pair.' },
  { id: 'client-pair.audio', says: 'Audio to audio: client pair.' },
  { id: 'client-pair.video-to-audio', says: 'Video to audio: client pair.' },
  { id: 'client-pair.archives', says: 'Archive to archive: client pair.' },
  { id: 'client-pair.pdf-to-pdf', says: 'PDF to PDF: client pair.' },
  { id: 'unknown-pair.the-rest', says: 'Everything else that is not listed: unknown pair.' },

  { id: 'upload.no-length-411', says: 'A PUT without a length answers 411.' },
  { id: 'upload.wrong-length-400', says: 'A PUT of another length answers 400 `size-mismatch`.' },
  { id: 'upload.cut-off', says: 'A PUT that runs over is cut off and not read to its end.' },
  { id: 'upload.refused-stores-nothing', says: 'A refused PUT stores nothing.' },
  { id: 'upload.refused-stays-queued', says: 'After a refused PUT the job is still `queued`.' },
  { id: 'upload.url-again', says: 'The same URL may be tried again until it expires.' },
  {
    id: 'upload.s3-signs-length',
    says: 'On S3 the signature covers the length, and S3 refuses another one.',
  },
  {
    id: 'upload.s3-other-size-fails-job',
    says: 'An object of another size fails the job and gives the charge back.',
  },
  { id: 'upload.second-replaces', says: 'Before a worker took the job, a second PUT replaces the first.' },
  { id: 'upload.second-ignored', says: 'After a worker took the job, a second PUT is 200 and ignored.' },
  { id: 'upload.second-no-error', says: 'A second PUT is never an error.' },
  { id: 'upload.only-length-matters', says: 'Of the upload headers only the length matters.' },
  { id: 'upload.any-content-type', says: 'Any content type will do, and none.' },
  { id: 'upload.answer', says: 'A good upload answers 200, empty, with an `ETag`.' },
  { id: 'upload.never-came', says: 'Without an upload the job fails once its URL has expired.' },
  { id: 'upload.never-came-text', says: 'Its error says "upload not received".' },
  { id: 'upload.never-came-refund', says: 'Its charge is given back.' },

  { id: 'idempotency.other-body-422', says: 'The same key with another body: 422 `idempotency-mismatch`.' },
  { id: 'idempotency.other-body-free', says: 'A mismatch makes no job and charges nothing.' },
  { id: 'idempotency.per-account', says: 'Idempotency keys belong to the account.' },
  { id: 'idempotency.key-length', says: 'Keys have 1 to 255 bytes, spaces and bytes beyond ASCII included.' },
  {
    id: 'idempotency.kept-a-day',
    says: 'Keys are remembered for a day at least, whatever became of the job.',
  },
  { id: 'idempotency.at-once', says: 'The same key at the same time: one 201, the rest 200, one job.' },
  { id: 'replay.answer', says: 'A replay is 200 with `idempotent: true` and the same `jobId`.' },
  { id: 'replay.fresh-upload-url', says: 'A replay carries a fresh `uploadUrl`.' },
  { id: 'replay.refusals-forgotten', says: 'Refusals are not remembered under their key.' },

  { id: 'state.transitions', says: 'queued → processing → done or failed, and nothing else.' },
  { id: 'state.queued-to-failed', says: 'A job may go from `queued` to `failed`.' },
  { id: 'state.final', says: '`done` and `failed` are final.' },
  { id: 'state.dead-worker', says: 'A job whose worker died stays `processing` and is run again.' },

  { id: 'expired.still-done', says: 'After its output expired the job is 200 `done`, `downloadUrl` null.' },
  { id: 'expired.past-expires-at', says: 'It keeps its past `expiresAt`.' },
  { id: 'expired.record-then-404', says: 'The record outlives the output by far, then answers 404.' },

  { id: 'failed.refund', says: 'A failed job gives its charge or free conversion back.' },
  { id: 'failed.closed-words', says: '`error` begins with a word of a closed list and a colon.' },
  { id: 'failed.sentence', says: 'After the word comes a sentence for people.' },
  { id: 'failed.password-protected', says: 'A protected document is `password-protected`.' },
  { id: 'failed.corrupt-input', says: 'A broken document is `corrupt-input`.' },
  { id: 'failed.wrong-format', says: 'A file of another format is `wrong-format`.' },
  { id: 'failed.too-complex', says: 'A document past the limits is `too-complex`.' },

  { id: 'rate.code', says: '429 carries the code `rate-limited`.' },
  { id: 'rate.retry-after', says: '`Retry-After` is an integer.' },
  { id: 'rate.headers', says: '429 carries `RateLimit` and `RateLimit-Policy`.' },
  { id: 'rate.per-account', says: 'Limits are per account, over all its keys.' },
  { id: 'rate.polls-apart', says: 'Polls have a bucket of their own, and a larger one.' },

  { id: 'server-error.unavailable-503', says: 'Database or storage away: 503 with `Retry-After`.' },
  { id: 'server-error.queue-full-503', says: 'Too many waiting jobs: 503 with `Retry-After`.' },
  { id: 'server-error.internal-500', says: 'Anything unforeseen is declared as 500 `internal`.' },
  { id: 'server-error.error-body', says: 'A 5xx has the error body.' },
  { id: 'errors.request-id', says: 'Every answer carries a request id header.' },

  { id: 'errors.route-before-body', says: '404 and 405 are said before the body is looked at.' },
  { id: 'errors.expectation-417', says: 'An expectation but `100-continue` is 417 with the error body.' },
  { id: 'errors.doubled-header', says: 'A header that decides something may not stand in a request twice.' },
  { id: 'links.not-widened', says: 'No change of a link makes it allow more than was signed.' },
  { id: 'links.error-body', says: 'Every answer of a link that is no success has the error body.' },

  { id: 'window.calendar-month-utc', says: 'The allowance runs by calendar month, UTC.' },
  { id: 'timestamps.iso-utc', says: 'Timestamps are ISO 8601 UTC with milliseconds and Z.' },

  { id: 'keys.shape', says: 'Keys are `kiln_live_`, random base62 and a checksum.' },
  { id: 'keys.typo-told-from-revoked', says: 'A mistyped key is told from a revoked one.' },
  { id: 'keys.only-hash-stored', says: 'A key is stored as a hash only.' },
  { id: 'keys.shown-once', says: 'A key is shown once, when it is made.' },
  { id: 'keys.create', says: 'Keys can be created.' },
  { id: 'keys.list', says: 'Keys can be listed.' },
  { id: 'keys.rotate-with-overlap', says: 'A rotated key works on for the chosen overlap.' },
  { id: 'keys.revoke-at-once', says: 'A revoked key stops at once.' },

  { id: 'download.get-and-head', says: 'The download answers GET and HEAD.' },
  { id: 'download.ranges', says: 'The download serves ranges.' },
  { id: 'download.content-type', says: 'The download has the content type of its format.' },
  { id: 'download.attachment', says: 'The download is an attachment with a file name.' },
  { id: 'download.no-store', says: 'The download is `no-store`.' },
  { id: 'download.nosniff', says: 'The download is `nosniff`.' },

  { id: 'wait.until-the-end', says: '`Prefer: wait=N` holds the poll until the job ends.' },
  { id: 'wait.at-most-n', says: 'The poll is held for N seconds at most.' },
  { id: 'wait.at-most-25', says: 'However large N is, the poll is held for 25 seconds at most.' },
  { id: 'wait.same-body', says: 'Waiting changes no body.' },
  { id: 'progress.header', says: '`Kiln-Progress` is a fraction, and only there while `processing`.' },
  { id: 'progress.same-body', says: 'Progress changes no body.' },

  {
    id: 'delete.cancels',
    says: '`DELETE` of a job that has not ended: 204, then `failed` with `cancelled`.',
  },
  { id: 'delete.gives-back', says: 'What a cancelled job cost is given back, once.' },
  { id: 'delete.files-gone', says: 'Input and output are gone with the answer, also in a bucket.' },
  { id: 'delete.done-stays-done', says: 'A deleted job that was done stays `done`, expired and charged.' },
  { id: 'delete.repeatable', says: '`DELETE` may be repeated: 204 again, and nothing changes.' },
  { id: 'delete.owner-only', says: '`DELETE` is refused as the poll: 401, 403, 404.' },

  { id: 'webhook.every-end', says: 'An account with a webhook is sent an event for every job that ends.' },
  { id: 'webhook.signed', says: 'Events are signed after the Standard Webhooks convention.' },
  { id: 'webhook.rotation', says: 'While a secret is rotated, events carry a signature by the old one too.' },
  {
    id: 'webhook.tried-again',
    says: 'What a receiver does not take is tried again, and sent again when asked.',
  },
  { id: 'webhook.no-redirect', says: 'A redirect by a receiver is not followed.' },
  {
    id: 'webhook.not-private',
    says: 'Events go to no private or loopback address unless the operator allows it.',
  },

  {
    id: 'house-style.reference',
    says: 'Word documents that are made from text have the styles of the reference document of their account.',
  },
  { id: 'house-style.css', says: 'HTML, EPUB and printed text have the style sheet of their account.' },
  { id: 'house-style.own-account', says: 'A house style is seen in the files of its own account alone.' },
  {
    id: 'house-style.refused',
    says: 'A style sheet that leaves its element or names an address, and a reference with macros, is refused.',
  },

  { id: 'report.link', says: 'The poll of an ended job links to its report: `rel="describedby"`.' },
  { id: 'report.same-body', says: 'The report changes no body of the interface.' },
  { id: 'report.shape', says: 'A report has one shape, whatever the pair and however the job ended.' },
  { id: 'report.owner-only', says: 'A report is read by the owner only, as the job is.' },
  {
    id: 'report.not-before-the-end',
    says: 'Before the end there is no report: 404 `not-found`, which says so.',
  },
  { id: 'report.failed', says: 'A failed job has a report of what is known.' },
  { id: 'report.fonts', says: 'The report names fonts that were replaced, and by what.' },
  { id: 'report.left-out', says: 'The report counts what was left out, and warns of it in sentences.' },
  { id: 'report.recognized', says: 'The report tells which pages were recognised, and how surely.' },
  { id: 'report.streams', says: 'The report tells which streams were copied, encoded or left out.' },
  {
    id: 'report.bounded',
    says: 'What a file names is bounded and plain text in the report; lists are short.',
  },

  { id: 'agent-tools.at-mcp', says: 'The agent tools are at `/mcp` under the prefix, for the bearer key.' },
  {
    id: 'agent-tools.fits',
    says: 'An answer stays below 25,000 tokens, and says how to get the rest of a text.',
  },
  {
    id: 'agent-tools.warnings',
    says: 'The report’s warnings come with every answer about a job that has ended.',
  },
  { id: 'options.none-needed', says: 'A submit without `options`, or with none in them, is as before.' },
  { id: 'options.object', says: '`options` that is no object is 400 `bad-request`.' },
  {
    id: 'options.unknown',
    says: 'An unknown option is 400 `bad-request`; the sentence names it and the known ones.',
  },
  {
    id: 'options.wrong-value',
    says: 'A wrong value is 400 `bad-request`; the sentence says what it must be.',
  },
  {
    id: 'options.other-fields',
    says: 'Other fields beside `pair`, `bytes` and `options` are allowed as before.',
  },
  {
    id: 'options.replay',
    says: 'A replay must equal the first submit in its options as well, passwords included.',
  },
  {
    id: 'options.described',
    says: '`GET /v1/formats/{pair}` gives a pair and its options as a JSON Schema, to anybody.',
  },
  { id: 'options.pair-404', says: 'Of a pair that is not offered it answers 404 `not-found`.' },
  { id: 'options.in-openapi', says: 'The description of the interface holds every option.' },
  { id: 'office-options.pages', says: '`pages`: only these pages of an office document.' },
  {
    id: 'office-options.password',
    says: '`password`: opens an office document; a wrong or missing one is said.',
  },
  { id: 'office-options.pdfa', says: '`pdfa`: PDF/A of the part and level that was asked for.' },
  { id: 'office-options.pdfua', says: '`pdfua`: a PDF that declares itself accessible.' },
  { id: 'office-options.tracked-changes', says: '`trackedChanges`: shown, or left out.' },
  { id: 'office-options.comments', says: '`comments`: kept as comments, shown in the margin, or left out.' },
  { id: 'office-options.slides', says: '`slides`: hidden ones and notes as well.' },
  { id: 'office-options.sheets', says: '`sheets`: printed as the file says, or as wide as the page.' },
  { id: 'office-options.quality', says: '`quality`: how much of a picture is kept.' },
  {
    id: 'options.secret-sealed',
    says: 'A password is encrypted in the database, and erased with the input.',
  },
  { id: 'options.secret-unseen', says: 'No log and no answer shows a password.' },
  { id: 'page-options.page-size', says: '`pageSize`: the paper of a page or a book.' },
  { id: 'page-options.landscape', says: '`landscape`: the paper is turned.' },
  { id: 'page-options.margin', says: '`margin`: the margin on all four sides.' },
  { id: 'page-options.toc', says: '`toc`: a table of contents before the page or the book, or none.' },
  { id: 'page-options.page-numbers', says: '`pageNumbers`: numbers at the foot, or none.' },
  { id: 'interchange-options.toc', says: '`toc`: a table of contents.' },
  { id: 'interchange-options.number-sections', says: '`numberSections`: headings are numbered.' },
  { id: 'interchange-options.markdown', says: '`markdown`: the kind of Markdown that is read or written.' },
  {
    id: 'interchange-options.tracked-changes',
    says: '`trackedChanges`: left out, shown with marks, or rejected.',
  },
  { id: 'interchange-options.pictures', says: '`pictures`: embedded, or left out.' },
  { id: 'pairs.other-programs', says: 'Office documents become documents of the other office programs.' },
  {
    id: 'pairs.sheets-to-csv',
    says: 'A sheet becomes CSV, its cells as they are shown; `sheet` says which, and the report how many were left out.',
  },
  {
    id: 'pairs.sheets-to-text',
    says: 'Sheets and CSV become tables of Markdown and HTML; `sheet` chooses one.',
  },
  {
    id: 'pairs.slides-to-text',
    says: 'Slides become Markdown and HTML with a heading each; `slides` and `pictures` say what comes along.',
  },
  { id: 'pairs.plain-text', says: 'Word, EPUB and PDF become plain text, a line for each paragraph.' },
  {
    id: 'pairs.templates-and-macros',
    says: 'Templates and documents with macros go where the plain format goes; macros never run, and are told of.',
  },
  { id: 'sources.films', says: 'MXF, VOB, RealMedia and MOV of PNG frames become MP4.' },
  {
    id: 'sources.mail',
    says: 'Mails (EML, MSG) become PDF, Markdown and HTML: heads, the better part, pictures in place, attachments listed; nothing is fetched, and the report says what was left out.',
  },
  {
    id: 'sources.archive',
    says: 'HTML, Markdown, LaTeX and RST may come as a ZIP archive with their pictures, styles and parts.',
  },
  {
    id: 'sources.archive-without-main',
    says: 'An archive in which the document is missing or not clear fails, and the sentence says what is looked for.',
  },
  {
    id: 'pairs.pdf-tables',
    says: 'The tables of a PDF become a workbook or CSV; without any the job fails and says so.',
  },
  { id: 'pdf-options.pages', says: '`pages`: only these pages of a PDF.' },
  { id: 'pdf-options.password', says: '`password`: opens a PDF; a wrong or missing one is said.' },
  { id: 'pdf-options.ocr', says: '`ocr`: text recognition of scans, never, or of every page.' },
  {
    id: 'pdf-options.languages',
    says: '`languages`: of the recognition; one that is not installed is said.',
  },
  { id: 'pdf-options.pictures', says: '`pictures`: embedded, marked, or left out.' },
  { id: 'pdf-options.page-marks', says: '`pageMarks`: a comment before each page.' },
  { id: 'video-options.height', says: '`height`: the picture is scaled down to it.' },
  { id: 'video-options.quality', says: '`quality`: how much of the picture is kept.' },
  { id: 'video-options.max-bytes', says: '`maxBytes`: the file is not larger.' },
  { id: 'video-options.start-end', says: '`start` and `end`: only this part of the video.' },
  { id: 'video-options.sound', says: '`sound`: `false` leaves it out.' },
  { id: 'gif-options.width', says: '`width`: the picture of a GIF is scaled down to it.' },
  { id: 'gif-options.frames-per-second', says: '`framesPerSecond`: at most so many pictures a second.' },

  {
    id: 'agent-tools.five',
    says: 'Five tools: convert, check and delete a conversion, list formats, check usage.',
  },
] as const

const of = <Entry extends Omit<Requirement, 'source'>>(
  source: Requirement['source'],
  entries: readonly Entry[],
) => entries.map((entry): Entry & Requirement => ({ ...entry, source }))

export const requirements = [
  ...of('interface', interfaceRequirements),
  ...of('decision', decisionRequirements),
] satisfies readonly Requirement[]

export type RequirementId =
  | (typeof interfaceRequirements)[number]['id']
  | (typeof decisionRequirements)[number]['id']

const known: ReadonlySet<string> = new Set(requirements.map(({ id }) => id))

/** Cites requirements, for a test's title. An id that does not exist stops the file from loading. */
export const requirement = (...ids: [RequirementId, ...RequirementId[]]): string => {
  for (const id of ids) if (!known.has(id)) throw new Error(`No requirement is called ${id}.`)
  return `[${ids.join(' ')}]`
}
