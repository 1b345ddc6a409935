# The service in a container: Debian slim, one Node, not root. Both bases can be replaced, as deploy/build-image.sh does.
ARG BUILD_BASE=node:20-bookworm-slim
ARG BASE=debian:bookworm-slim

FROM ${BUILD_BASE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client client
COPY tools/prune-install.mjs tools/
RUN npm ci --omit=dev && npm cache clean --force
COPY bin bin
COPY console/dist console/dist
COPY docs docs
COPY src src
COPY CHANGELOG.md LICENSE README.md ./

FROM ${BASE}
# npm's Node 26 is linked against libatomic.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates libatomic1 && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production DAILIES_HOST=0.0.0.0 DAILIES_PORT=8080 DAILIES_DATA=/data DAILIES_ALLOW_PRIVATE_NETWORK=false PATH=/app/node_modules/.bin:$PATH
ARG REVISION=
ENV DAILIES_REVISION=${REVISION}
WORKDIR /app
COPY --from=build /app ./
RUN useradd --system --uid 10001 dailies && mkdir -m 700 /data && chown dailies /data \
  && ln -s /app/bin/dailies.js /usr/local/bin/dailies
USER dailies
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.DAILIES_PORT+'/readyz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
# Exec form: signals reach the service itself. `docker exec NAME dailies …` runs the command line.
ENTRYPOINT ["node", "/app/src/main.ts"]
CMD ["serve", "--work"]
