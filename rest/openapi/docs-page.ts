/** The page around Swagger UI: first steps, and a start script outside the page. */

export const DOCS_HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ratewire reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<main id="start">
<h1>Try it here</h1>
<ol>
<li>The demo client’s <code>client_key</code> and <code>client_secret</code> are in <code>data/demo-client.json</code>, on the machine where Ratewire was started.</li>
<li>Under <b>Authentication</b>, open <b>Get a token</b>, press <b>Try it out</b>, fill in the two and press <b>Execute</b>. The token is kept for the other calls of this page.</li>
<li>A token that you have already: press <b>Authorize</b> and paste it.</li>
</ol>
<p>Calls go to this server and are real: a Book FX moves the demo client’s money. The document behind the page is <a href="/openapi.json">/openapi.json</a>.</p>
</main>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

export const DOCS_CSS = `body { margin: 0; }
#start { box-sizing: border-box; max-width: 1460px; margin: 0 auto; padding: 24px 20px 0; font: 15px/1.5 sans-serif; }
#start h1 { font-size: 22px; margin: 0 0 8px; }
`;

/** Fills in the token that authentication issues, since the next calls need it. Nothing is stored when the page is closed. */
export const DOCS_START = `'use strict';
const page = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  responseInterceptor(response) {
    if (response.ok && new URL(response.url).pathname === '/api/v1/authentication') {
      page.preauthorizeApiKey('token', JSON.parse(response.text).token);
    }
    return response;
  },
});
`;
