// Sends one file to the service. XMLHttpRequest, because fetch does not tell how much has been sent.
import { ApiProblem } from './api.ts'
import type { UploadedFile } from './api-types.ts'

export function uploadFile(
  key: string,
  file: File,
  options: { onProgress(share: number): void; signal: AbortSignal },
): Promise<UploadedFile> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', '/api/v1/files/upload')
    request.setRequestHeader('authorization', `Bearer ${key}`)
    request.responseType = 'json'
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) options.onProgress(event.loaded / event.total)
    }
    request.onload = () => {
      const answer = request.response
      if (request.status === 200) resolve(answer.data)
      else reject(new ApiProblem(answer?.code ?? request.status, answer?.msg ?? 'The upload was refused.'))
    }
    request.onerror = () => reject(new ApiProblem(0, 'The upload was interrupted.'))
    request.onabort = () => reject(new DOMException('The upload was stopped.', 'AbortError'))
    options.signal.addEventListener('abort', () => request.abort())
    const form = new FormData()
    form.append('file', file, file.name)
    request.send(form)
  })
}
