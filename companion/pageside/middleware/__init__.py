"""Pageside in apps that Python serves, without Node: ASGI, WSGI and aiohttp middleware, and a Jinja2 extension.

`asgi.PagesideMiddleware`, `wsgi.PagesideMiddleware`, `aiohttp.setup` and `jinja.PagesideExtension` are for apps; see
docs/python-pages.md. Each is imported by its own name, so that an app needs no framework but its own.
"""
