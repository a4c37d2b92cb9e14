"""The blueprint of the API, to which the other modules add their URLs."""

from flask_openapi3 import APIBlueprint

from server.web.api.errors import document_errors

PREFIX = "/api/v1"

pages = APIBlueprint(
    "api",
    __name__,
    url_prefix=PREFIX,
    abp_security=[{"token": []}],
    abp_responses=document_errors(400, 401, 404, 413, 422, 429, 500, 503),
)
