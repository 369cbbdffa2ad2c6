import { createHmac, createSecretKey } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { refusedDownload } from '../refused-download.ts'
import { derivedKey, signLink, verifyLink } from '../signed-link.ts'
import type { Download, DownloadRequest, Presign, Storage, StoredObject } from '../storage.ts'
import { isMissing, mapStorageErrors } from './connection-errors.ts'

// Objects in an S3 bucket. Clients upload directly to S3 with presigned links; the declared length is part of the
// signature, so S3 refuses any other. Downloads are proxied by the service (sendObject). S3 does not report
// uploads: a poll checks for the object, and a periodic task does for jobs that are not polled. A store that does not
// respond counts as unavailable: small requests have a deadline, and transfers end when no byte arrives any more.

const questionMilliseconds = 1300
const connectMilliseconds = 1200
const stalledMilliseconds = 15_000

/** After a stall of the event loop, timers come before input: an answer that has arrived is read first. */
function within(milliseconds: number): { abortSignal: AbortSignal } {
  const controller = new AbortController()
  setTimeout(() => setImmediate(() => controller.abort()), milliseconds).unref()
  return { abortSignal: controller.signal }
}

export interface S3Storage extends Storage {
  presign: Presign
  close(): void
}

export function openS3Storage(settings: S3Settings, publicUrl: string): S3Storage {
  const options = {
    region: settings.region,
    forcePathStyle: settings.pathStyle,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    // Otherwise a presigned link would contain the checksum of an empty body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler: { connectionTimeout: connectMilliseconds, socketTimeout: stalledMilliseconds },
  } as const
  const client = new S3Client({ ...options, ...(settings.endpoint ? { endpoint: settings.endpoint } : {}) })
  // Clients may use another host name for the store than we do; the name is part of the signature.
  const publicEndpoint = settings.publicEndpoint ?? settings.endpoint
  const signer = new S3Client({ ...options, ...(publicEndpoint ? { endpoint: publicEndpoint } : {}) })
  const Bucket = settings.bucket
  // Every API process signs with the same key: all of them know the secret of the bucket.
  const linkKey = linkKeyOf(settings.secretAccessKey)
  const keyOf = (object: string) => settings.prefix + object
  const inTime = () => within(questionMilliseconds)
  const secondsUntil = (date: Date) => Math.max(1, Math.floor((date.getTime() - Date.now()) / 1000))

  return {
    tellsOfUploads: false,
    uploadOrigin: originOf(settings),
    keyFor: (purpose) => derivedKey(linkKey, purpose),
    uploadUrl: ({ object, bytes, expiresAt }) =>
      getSignedUrl(signer, new PutObjectCommand({ Bucket, Key: keyOf(object), ContentLength: bytes }), {
        expiresIn: secondsUntil(expiresAt),
        signableHeaders: new Set(['host', 'content-length']),
      }),
    presign: (verb, object, expiresIn) =>
      presign[verb](client, { Bucket, Key: keyOf(object) }, { expiresIn }),
    async downloadUrl({ object, fileName, contentType, expiresAt }) {
      const fields = { name: fileName, type: contentType }
      return publicUrl + signLink(linkKey, { verb: 'get', object, expiresAt, fields })
    },
    verify: (verb, object, query) => verifyLink(linkKey, { verb, object, query, now: new Date() }),
    download: (object, request) => sendObject(client, { Bucket, Key: keyOf(object) }, request, inTime),
    async size(object, { isPatient } = { isPatient: false }) {
      try {
        const question = new HeadObjectCommand({ Bucket, Key: keyOf(object) })
        const deadline = within(isPatient ? stalledMilliseconds : questionMilliseconds)
        const head = await mapStorageErrors(() => client.send(question, deadline))
        return head.ContentLength ?? 0
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
    async fetch(object, path) {
      await mapStorageErrors(async () => {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: keyOf(object) }))
        await pipeline(Body as Readable, createWriteStream(path, { flags: 'wx', mode: 0o444 }))
      })
    },
    async store(path, object) {
      const { size } = await stat(path)
      // The length is known, so the object is uploaded in one request and appears completely or not at all.
      const put = new PutObjectCommand({
        Bucket,
        Key: keyOf(object),
        Body: createReadStream(path),
        ContentLength: size,
      })
      await mapStorageErrors(() => client.send(put))
    },
    async remove(object) {
      try {
        const command = new DeleteObjectCommand({ Bucket, Key: keyOf(object) })
        await mapStorageErrors(() => client.send(command, within(stalledMilliseconds)))
      } catch (error) {
        if (!isMissing(error)) throw error
      }
    },
    async *list(kind): AsyncIterable<StoredObject> {
      let ContinuationToken: string | undefined
      do {
        const question = new ListObjectsV2Command({
          Bucket,
          Prefix: keyOf(kind ? `${kind}/` : ''),
          ...(ContinuationToken ? { ContinuationToken } : {}),
        })
        const page = await mapStorageErrors(() => client.send(question))
        for (const { Key, LastModified } of page.Contents ?? []) {
          if (Key?.startsWith(settings.prefix)) {
            yield { object: Key.slice(settings.prefix.length), modifiedAt: LastModified ?? new Date() }
          }
        }
        ContinuationToken = page.NextContinuationToken
      } while (ContinuationToken)
    },
    async check() {
      await mapStorageErrors(() => client.send(new HeadBucketCommand({ Bucket }), inTime()))
    },
    close() {
      client.destroy()
      signer.destroy()
    },
  }
}

type Sign = (
  client: S3Client,
  name: { Bucket: string; Key: string },
  how: { expiresIn: number },
) => Promise<string>

const presign: Record<Parameters<Presign>[0], Sign> = {
  get: (client, name, how) => getSignedUrl(client, new GetObjectCommand(name), how),
  put: (client, name, how) => getSignedUrl(client, new PutObjectCommand(name), how),
  delete: (client, name, how) => getSignedUrl(client, new DeleteObjectCommand(name), how),
}

const linkKeyOf = (secret: string) =>
  createSecretKey(createHmac('sha256', secret).update('kiln links').digest())

/** The origin as the SDK addresses the bucket. */
function originOf({ endpoint, publicEndpoint, bucket, region, pathStyle }: S3Settings): string {
  const url = new URL(publicEndpoint ?? endpoint ?? `https://s3.${region}.amazonaws.com`)
  if (!pathStyle) url.hostname = `${bucket}.${url.hostname}`
  return url.origin
}

export interface S3Settings {
  bucket: string
  endpoint: string | null
  publicEndpoint: string | null
  region: string
  accessKeyId: string
  secretAccessKey: string
  pathStyle: boolean
  prefix: string
}

// A GET or HEAD of an output, forwarded to the bucket with its range and conditions. A presigned link of the bucket
// would support GET only, and lack `nosniff`.

interface ObjectName {
  Bucket: string
  Key: string
}

/** `inTime` limits the time until the response headers; the body may take longer, as long as bytes arrive. */
async function sendObject(
  client: S3Client,
  name: ObjectName,
  request: DownloadRequest,
  inTime: () => { abortSignal: AbortSignal },
): Promise<Download> {
  const question = { ...name, ...conditionsOf(request) }
  try {
    const found =
      request.method === 'HEAD'
        ? await client.send(new HeadObjectCommand(question), inTime())
        : await client.send(new GetObjectCommand(question))
    const body = 'Body' in found ? (found.Body as Readable) : null
    const headers = {
      'accept-ranges': 'bytes',
      'content-length': String(found.ContentLength ?? 0),
      ...(found.ContentRange ? { 'content-range': found.ContentRange } : {}),
      ...(found.ETag ? { etag: found.ETag } : {}),
      ...(found.LastModified ? { 'last-modified': found.LastModified.toUTCString() } : {}),
    }
    return { status: found.ContentRange ? 206 : 200, headers, body }
  } catch (error) {
    const status = isMissing(error) ? 404 : statusOf(error)
    if (status === 304) return { status, headers: {}, body: null }
    const refusal = refusedDownload(
      status,
      status === 416 ? await wholeRange(client, name, inTime) : undefined,
    )
    if (refusal) throw refusal
    return mapStorageErrors(() => Promise.reject(error))
  }
}

const statusOf = (error: unknown): number =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode ?? 0

const wholeRange = async (client: S3Client, name: ObjectName, inTime: () => { abortSignal: AbortSignal }) => {
  const { ContentLength } = await mapStorageErrors(() => client.send(new HeadObjectCommand(name), inTime()))
  return `bytes */${ContentLength ?? 0}`
}

function conditionsOf({ headers }: DownloadRequest) {
  const time = (text: string | undefined) => {
    const date = new Date(text ?? '')
    return Number.isNaN(date.getTime()) ? undefined : date
  }
  const entries = Object.entries({
    // The bucket does not support If-Range; without the range the complete output is a valid response.
    Range: headers['if-range'] === undefined ? headers.range : undefined,
    IfMatch: headers['if-match'],
    IfNoneMatch: headers['if-none-match'],
    IfModifiedSince: time(headers['if-modified-since']),
    IfUnmodifiedSince: time(headers['if-unmodified-since']),
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}
