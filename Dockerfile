# The service in a container: Debian slim, not root. Not built where we test; keep it small.
FROM node:26-bookworm-slim
ENV NODE_ENV=production DAILIES_HOST=0.0.0.0 DAILIES_PORT=8080 DAILIES_DATA=/data
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
COPY tools/prune-install.mjs tools/
RUN npm ci && npm cache clean --force
COPY . .
RUN useradd --system --uid 10001 dailies && mkdir /data && chown dailies /data
USER dailies
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.DAILIES_PORT+'/readyz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
# Exec form: signals reach the service itself.
ENTRYPOINT ["node_modules/.bin/node", "src/main.ts"]
CMD ["serve", "--work"]
