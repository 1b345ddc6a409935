// Runs in the browser: shows the API description with Swagger UI. Requests go to the server that this page came from.
const base = new URL('.', location.href).href.replace(/\/$/, '')

fetch(`${base}/openapi.json`)
  .then((response) => {
    if (!response.ok) throw new Error(`openapi.json was answered with ${response.status}`)
    return response.json()
  })
  .then((spec) => {
    window.SwaggerUIBundle({
      spec: { ...spec, servers: [{ url: base }] },
      dom_id: '#docs',
      deepLinking: true,
      validatorUrl: null,
      displayRequestDuration: true,
      defaultModelsExpandDepth: 0,
      docExpansion: 'list',
    })
  })
  .catch((error) => {
    document.querySelector('#docs').textContent = `The API description could not be shown: ${error.message}`
  })
