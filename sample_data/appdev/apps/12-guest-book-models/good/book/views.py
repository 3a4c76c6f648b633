from django.shortcuts import redirect, render

from book.models import Entry


def show(request):
    fault = ""
    if request.method == "POST":
        name, message = request.POST.get("name", "").strip(), request.POST.get("message", "").strip()
        if message:
            Entry.objects.create(name=name or "Somebody", message=message)
            return redirect("show")
        fault = "A message is needed"
    return render(request, "book.html", {"entries": Entry.objects.order_by("-id"), "fault": fault})
