import type { Readable } from 'node:stream'
import { GetObjectCommand, HeadObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { refusedDownload } from '../refused-download.ts'
import type { Download, DownloadRequest } from '../storage.ts'
import { isMissing, mapStorageErrors } from './connection-errors.ts'

// A GET or HEAD of an output, forwarded to the bucket with its range and conditions. A presigned link of the bucket
// would support GET only, and lack `nosniff`.

interface ObjectName {
  Bucket: string
  Key: string
}

/** `inTime` limits the time until the response headers; the body may take longer, as long as bytes arrive. */
export async function sendObject(
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
