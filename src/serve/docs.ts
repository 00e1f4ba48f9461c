import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

/** The page at /docs, with everything that it needs. */
export const addDocs = async (app: FastifyInstance, document: unknown): Promise<void> => {
  await app.register(swagger, {
    mode: 'static',
    specification: { document: document as never },
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: POLICY,
    uiConfig: { deepLinking: true, docExpansion: 'list', validatorUrl: null, tryItOutEnabled: true },
    theme: { title: 'Financial Text Models and Metrics' },
  });
};

/** The page's own files and nothing else. */
const POLICY = [
  "default-src 'self'",
  "base-uri 'self'",
  "frame-ancestors 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
].join('; ');
