# syntax=docker/dockerfile:1

# Everything that is needed to build, which the service does not need to run.
FROM node:22-bookworm AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Install scripts run for the packages that package.json approves only.
RUN npm ci --ignore-scripts --no-audit --no-fund && npm rebuild better-sqlite3
COPY tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY core core
COPY cli cli
COPY plugins plugins
RUN mkdir -p test && node scripts/prepare.mjs
# npm writes the bill of materials of a whole tree only.
RUN npm sbom --sbom-format cyclonedx --sbom-type application --omit dev > sbom.cdx.json \
  && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:22-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json /app/sbom.cdx.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY config/default.yaml config/production.yaml config/
COPY LICENSE CHANGELOG.md ./
# docker build --build-arg REVISION=$(git rev-parse HEAD) …: for the metric vitrine_build_info.
ARG REVISION=unknown
RUN echo "$REVISION" > revision
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The service itself handles SIGTERM as process 1: it finishes the calls in flight and exits with 0.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "--max-semi-space-size=32", "dist/cli/main.js"]
CMD ["start"]
